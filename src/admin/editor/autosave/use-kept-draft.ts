import { useEffect, useRef, useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { contentOf } from '../use-entry-state.js';
import { withKept, type KeptDraft } from './kept-changes.js';
import { dropDraft, keepDraft, keptDraft, type DraftPlace } from './kept-drafts.js';

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
