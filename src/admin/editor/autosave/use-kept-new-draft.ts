import { useEffect, useRef, useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import { draftOf, isChanged, type Draft } from '../draft.js';
import { withKept } from './kept-changes.js';
import { dropDraft, keepDraft, keptDraft, type DraftPlace } from './kept-drafts.js';

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

const PAUSE_MILLISECONDS = 300;

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
