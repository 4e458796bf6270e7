import { useEffect, useRef, useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { useSession, sessionState, subscribe } from '../../api/session-store.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { contentOf } from '../use-entry-state.js';
import { withKept, type KeptDraft, keptChanges } from './kept-changes.js';
import {
  changedFields,
  isSlugChanged,
  type Content,
  type Draft,
  type Values,
  draftOf,
  isChanged,
} from '../draft.js';

/** Of one user, in one locale of one entry. */
interface DraftPlace {
  readonly user: string;
  readonly project: string;
  readonly environment: string;
  readonly entry: string;
  readonly locale: string;
}

const PREFIX = 'headwater.draft.';

const keyOf = ({ user, project, environment, entry, locale }: DraftPlace): string =>
  `${PREFIX}${[user, project, environment, entry, locale].join('/')}`;

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

/** A draft that the storage has no room for is not kept. */
function keepDraft(place: DraftPlace, draft: Draft, version: number): void {
  const fields = changedFields(draft);
  const kept: KeptDraft = {
    version,
    at: new Date().toISOString(),
    fields,
    ...(isSlugChanged(draft) && { slug: draft.now.slug }),
    base: { slug: draft.base.slug, fields: only(draft.base.fields, Object.keys(fields)) },
  };
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(kept));
  } catch {
    dropDraft(place);
  }
}

function dropDraft(place: DraftPlace): void {
  localStorage.removeItem(keyOf(place));
}

/** The kept draft, if the entry is not older than it and it still changes something. */
function keptDraft(place: DraftPlace, saved: Content, version: number): KeptDraft | undefined {
  const stored = localStorage.getItem(keyOf(place));
  if (stored === null) return undefined;
  const kept = JSON.parse(stored) as KeptDraft;
  if (version < kept.version) return undefined;
  if (keptChanges(kept, saved).length > 0) return kept;
  dropDraft(place);
  return undefined;
}

/** What was typed belongs to the session: a log out, in any tab, removes it. */
function dropAll(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

subscribe(() => {
  if (sessionState().status === 'none') dropAll();
});

export interface KeptDraftState {
  /** Found when the entry was opened; nothing is kept until the user has decided about it. */
  readonly found: KeptDraft | undefined;
  recover(): void;
  /** Removes what is kept. */
  discard(): void;
}

const PAUSE_MILLISECONDS = 300;

function useDraftPlace({ saved }: EntryEditor): DraftPlace {
  const { slug, environment } = useProject();
  const session = useSession();
  const user = session.status === 'none' ? '' : session.session.user.id;
  return { user, project: slug, environment, entry: saved.id, locale: saved.locale };
}

/** Keeps what is not saved in the storage of the browser, where a reload finds it. */
export function useKeptDraft(editor: EntryEditor, mayWrite: boolean): KeptDraftState {
  const place = useDraftPlace(editor);
  const { saved, draft, isDirty } = editor;
  const [found, setFound] = useState(() =>
    mayWrite ? keptDraft(place, contentOf(saved), saved.version) : undefined,
  );
  const isKept = useRef(false);
  const keep = (): void => {
    if (!isDirty || found !== undefined) return;
    isKept.current = true;
    keepDraft(place, draft, saved.version);
  };
  const latest = useRef(keep);
  latest.current = keep;
  useEffect(() => {
    if (!isDirty && isKept.current) {
      isKept.current = false;
      dropDraft(place);
    }
    const timer = setTimeout(() => latest.current(), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [draft, isDirty, found]);
  useEffect(() => {
    const onHide = (): void => latest.current();
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, []);
  const discard = (): void => {
    isKept.current = false;
    dropDraft(place);
    setFound(undefined);
  };
  return {
    found,
    recover: () => {
      if (found !== undefined) editor.change((now) => withKept(now, found));
      isKept.current = true;
      setFound(undefined);
    },
    discard,
  };
}

interface KeptNewDraft {
  /** When what is shown was typed, if it was recovered; undefined otherwise. */
  readonly recoveredAt: string | undefined;
  /** Removes what is kept, and keeps nothing more. */
  drop(): void;
  /** Removes what was recovered from the form as well. */
  startEmpty(): void;
}

interface Form {
  readonly draft: Draft;
  readonly change: (change: (draft: Draft) => Draft) => void;
}

/** An entry that is not created has no version. */
const NO_VERSION = 0;

/** Keeps what is typed for a new entry of a type in the storage of the browser, and brings it back after a reload. */
export function useKeptNewDraft(typeName: string, { draft, change }: Form): KeptNewDraft {
  const { slug, environment } = useProject();
  const session = useSession();
  const user = session.status === 'none' ? '' : session.session.user.id;
  const place: DraftPlace = { user, project: slug, environment, entry: `new/${typeName}`, locale: '' };
  const [recoveredAt, setRecoveredAt] = useState<string>();
  const isOver = useRef(false);
  const keep = (): void => {
    if (isOver.current) return;
    if (isChanged(draft)) keepDraft(place, draft, NO_VERSION);
    else dropDraft(place);
  };
  const latest = useRef(keep);
  latest.current = keep;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      const found = keptDraft(place, draft.base, NO_VERSION);
      if (found === undefined) return undefined;
      change((now) => withKept(now, found));
      setRecoveredAt(found.at);
      return undefined;
    }
    const timer = setTimeout(() => latest.current(), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    const onHide = (): void => latest.current();
    addEventListener('pagehide', onHide);
    return () => removeEventListener('pagehide', onHide);
  }, []);
  return {
    recoveredAt,
    drop: () => {
      isOver.current = true;
      dropDraft(place);
    },
    startEmpty: () => {
      change(({ base }) => draftOf(base));
      setRecoveredAt(undefined);
    },
  };
}
