import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { useProject, type Entry } from '../api/project-data.js';
import { conflictOf, type Conflict } from './conflict.js';
import { draftOf, type Content, type Draft } from './draft.js';
import { noProblems, problemsOf, type Problems } from './problems.js';

export const contentOf = ({ slug, fields }: Entry): Content => ({ slug, fields });

const refreshed = [api.entries.get, api.entries.list, api.entries.listVersions, api.translations.get];

export interface EntryState {
  readonly saved: Entry;
  readonly draft: Draft;
  readonly problems: Problems;
  readonly conflict: Conflict | undefined;
  /** The draft now: calls take a while, and typing goes on. */
  latest(): Draft;
  /** What is stored now, as far as this form knows. */
  stored(): Entry;
  change(change: (draft: Draft) => Draft): void;
  /** What the service has stored. */
  remember(entry: Entry): void;
  /** The next version, in which another locale was saved: what is shown of this one has not changed. */
  follow(entry: Entry): void;
  /** Shows another version of the entry; what was typed is dropped. */
  adopt(entry: Entry): void;
  /** Shows at the fields why a call was refused. True for a conflict, which has a dialog. */
  refuse(error: unknown): boolean;
  dropConflict(): void;
}

function atNextVersion(stored: Entry, next: Entry): Entry | undefined {
  const { version, locales, updatedAt, updatedBy } = next;
  if (version !== stored.version + 1) return undefined;
  const status = locales.find(({ locale }) => locale === stored.locale)?.status ?? stored.status;
  return { ...stored, version, locales, updatedAt, updatedBy, status };
}

/** What is stored of an entry, what has been typed, and what is wrong with it. */
export function useEntryState(entry: Entry): EntryState {
  const { slug: projectSlug } = useProject();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(entry);
  const [draft, setDraft] = useState(() => draftOf(contentOf(entry)));
  const [problems, setProblems] = useState<Problems>(noProblems);
  const [conflict, setConflict] = useState<Conflict>();
  const latest = useRef(draft);
  const stored = useRef(saved);
  const change: EntryState['change'] = (next) => {
    latest.current = next(latest.current);
    setDraft(latest.current);
  };
  const remember = (next: Entry): void => {
    stored.current = next;
    setSaved(next);
    setProblems(noProblems);
    const { id, locale } = next;
    queries.setQueryData(api.entries.get.queryKey({ projectSlug, id, locale }), { data: next });
    // How others show it.
    for (const { pathKey } of refreshed) void queries.invalidateQueries({ queryKey: pathKey() });
  };
  const follow = (next: Entry): void => {
    const followed = atNextVersion(stored.current, next);
    if (followed === undefined) return;
    stored.current = followed;
    setSaved(followed);
  };
  return {
    ...{ saved, draft, problems, conflict, change, remember, follow },
    latest: () => latest.current,
    stored: () => stored.current,
    adopt: (next) => {
      change(() => draftOf(contentOf(next)));
      remember(next);
    },
    refuse: (error) => {
      const failure = failureOf(error);
      setProblems(problemsOf(failure.issues, latest.current.now.fields));
      const isConflict = failure.code === 'version_conflict' && 'changedFields' in failure.details;
      if (isConflict) setConflict(conflictOf(failure, latest.current));
      return isConflict;
    },
    dropConflict: () => setConflict(undefined),
  };
}
