import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../api/client.js';
import { failureOf } from '../api/failure.js';
import { useProject, type Entry } from '../api/project-data.js';
import { notifyFailure } from '../ui/toasts.js';
import { conflictOf, type Conflict } from './conflict.js';
import { draftOf, type Content, type Draft } from './draft.js';
import { noProblems, problemsOf, type Problems } from './problems.js';

export const contentOf = ({ slug, fields }: Entry): Content => ({ slug, fields });

export interface EntryState {
  readonly saved: Entry;
  readonly draft: Draft;
  readonly problems: Problems;
  readonly conflict: Conflict | undefined;
  /** The draft now: calls take a while, and typing goes on. */
  latest(): Draft;
  change(change: (draft: Draft) => Draft): void;
  /** What the service has stored. */
  remember(entry: Entry): void;
  /** Shows another version of the entry; what was typed is dropped. */
  adopt(entry: Entry): void;
  /** Shows why a call was refused. */
  refuse(error: unknown): void;
  dropConflict(): void;
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
  const change: EntryState['change'] = (next) => {
    latest.current = next(latest.current);
    setDraft(latest.current);
  };
  const remember = (next: Entry): void => {
    setSaved(next);
    setProblems(noProblems);
    const { id, locale } = next;
    queries.setQueryData(api.entries.get.queryKey({ projectSlug, id, locale }), { data: next });
    // Its blocks, and how others show it.
    for (const { pathKey } of [api.entries.get, api.entries.list, api.entries.listVersions])
      void queries.invalidateQueries({ queryKey: pathKey() });
  };
  return {
    ...{ saved, draft, problems, conflict, change, remember },
    latest: () => latest.current,
    adopt: (next) => {
      change(() => draftOf(contentOf(next)));
      remember(next);
    },
    refuse: (error) => {
      const failure = failureOf(error);
      setProblems(problemsOf(failure.issues));
      if (failure.code === 'version_conflict' && 'changedFields' in failure.details)
        setConflict(conflictOf(failure));
      else notifyFailure(error);
    },
    dropConflict: () => setConflict(undefined),
  };
}
