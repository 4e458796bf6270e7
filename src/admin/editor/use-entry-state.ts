import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { api } from '../api/client.js';
import { failureOf, type Issue } from '../api/failure.js';
import { useProject, type Entry } from '../api/project-data.js';
import { useMessageOf } from '../fields/issue-text.js';
import { conflictOf, type Conflict } from './conflict.js';
import { draftOf, withTakenBack, type Content, type Draft } from './draft.js';
import { isSame } from './merge-typed.js';
import { noProblems, openProblems, refusalOf, type Problems, type Refusal } from './problems.js';

export const contentOf = ({ slug, fields }: Entry): Content => ({ slug, fields });

const refreshed = [api.entries.get, api.entries.list, api.entries.listVersions, api.translations.get];

/** Where a refusal is shown: at the fields, in a dialog, or nowhere yet. */
type Refused = 'fields' | 'conflict' | undefined;

/** A draft that cannot be saved, and one that can be saved but not published. */
type Refusals = Readonly<Partial<Record<'saving' | 'publishing', Refusal | undefined>>>;

const noIssuesAlong: Refusal['along'] = new Map();

export interface EntryState {
  readonly saved: Entry;
  readonly draft: Draft;
  /** Of values that are still as they were refused. */
  readonly problems: Problems;
  /** What other entries lacked that would have been published along. */
  readonly along: Refusal['along'];
  readonly conflict: Conflict | undefined;
  /** The draft now: calls take a while, and typing goes on. */
  latest(): Draft;
  /** What is stored now, as far as this form knows. */
  stored(): Entry;
  change(change: (draft: Draft) => Draft): void;
  /** What the service has stored. A draft that is not published may still be incomplete. */
  remember(entry: Entry): void;
  /** What was refused before does not count any more: the draft is published, or another one. */
  forgetProblems(): void;
  /** The next version, in which another locale was saved: what is shown of this one has not changed. */
  follow(entry: Entry): void;
  /** Shows another version of the entry; what was typed is dropped. Returns what takes the new values back. */
  adopt(entry: Entry): () => void;
  /** Shows at the fields why a call was refused. A conflict has a dialog. */
  refuse(error: unknown): Refused;
  /** Shows at the fields what a check found. */
  refuseIssues(issues: readonly Issue[]): void;
  dropConflict(): void;
}

function atNextVersion(stored: Entry, next: Entry): Entry | undefined {
  const { version, locales, updatedAt, updatedBy } = next;
  if (version !== stored.version + 1) return undefined;
  const status = locales.find(({ locale }) => locale === stored.locale)?.status ?? stored.status;
  return { ...stored, version, locales, updatedAt, updatedBy, status };
}

/** Why the draft was refused, and what of it still counts. */
function useRefusals({ now }: Draft, latest: () => Content) {
  const messageOf = useMessageOf();
  const [refusals, setRefusals] = useState<Refusals>({});
  const { publishing, saving } = refusals;
  const found = useMemo(() => {
    const refused = [publishing, saving].filter((one) => one !== undefined);
    return refused.length === 0 ? noProblems : openProblems(refused, now);
  }, [publishing, saving, now]);
  // The same object while the same is wrong: fields are rendered again for another one.
  const shown = useRef(found);
  if (!isSame([...shown.current], [...found])) shown.current = found;
  const problems = shown.current;
  /** Publishing finds everything that is wrong, and saving what cannot be stored. */
  const refuseFor = (reason: keyof Refusals, issues: readonly Issue[]): Refused => {
    const refusal = refusalOf(issues, latest(), messageOf);
    setRefusals((others) =>
      reason === 'publishing' ? { publishing: refusal } : { ...others, saving: refusal },
    );
    return refusal.problems.size + refusal.along.size > 0 ? 'fields' : undefined;
  };
  return {
    problems,
    along: publishing?.along ?? noIssuesAlong,
    refuseFor,
    forgetSaving: () => setRefusals((now) => ({ publishing: now.publishing })),
    forgetProblems: () => setRefusals({}),
  };
}

/** What is stored of an entry; `remember` shows it everywhere. */
function useSavedEntry(entry: Entry, onRemember: () => void) {
  const { slug: projectSlug } = useProject();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(entry);
  const stored = useRef(saved);
  const remember = (next: Entry): void => {
    stored.current = next;
    setSaved(next);
    onRemember();
    const { id, locale } = next;
    queries.setQueryData(api.entries.get.queryKey({ projectSlug, id, locale }), { data: next });
    // How others show it.
    for (const { pathKey } of refreshed) void queries.invalidateQueries({ queryKey: pathKey() });
  };
  const follow = (next: Entry): void => {
    stored.current = atNextVersion(stored.current, next) ?? stored.current;
    setSaved(stored.current);
  };
  return { saved, remember, follow, stored: () => stored.current };
}

/** What is stored of an entry, what has been typed, and what is wrong with it. */
export function useEntryState(entry: Entry): EntryState {
  const [draft, setDraft] = useState(() => draftOf(contentOf(entry)));
  const [conflict, setConflict] = useState<Conflict>();
  const latest = useRef(draft);
  const refusals = useRefusals(draft, () => latest.current.now);
  const { problems, along, refuseFor, forgetProblems } = refusals;
  const { saved, remember, follow, stored } = useSavedEntry(entry, refusals.forgetSaving);
  const change: EntryState['change'] = (next) => {
    latest.current = next(latest.current);
    setDraft(latest.current);
  };
  return {
    saved,
    draft,
    problems,
    along,
    conflict,
    change,
    remember,
    follow,
    forgetProblems,
    latest: () => latest.current,
    stored,
    adopt: (next) => {
      const before = latest.current.now;
      change(() => draftOf(contentOf(next)));
      remember(next);
      forgetProblems();
      return () => change((now) => withTakenBack(now, before, contentOf(next)));
    },
    refuse: (error) => {
      const failure = failureOf(error);
      if (failure.code === 'version_conflict' && 'changedFields' in failure.details) {
        setConflict(conflictOf(failure, latest.current));
        return 'conflict';
      }
      return refuseFor(failure.code === 'entry_invalid' ? 'publishing' : 'saving', failure.issues);
    },
    refuseIssues: (issues) => void refuseFor('publishing', issues),
    dropConflict: () => setConflict(undefined),
  };
}
