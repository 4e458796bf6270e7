import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isChanged } from '../draft.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { isHeldBack, pauseBeforeSave } from '../save-progress.js';

const KEY = 'headwater.autosave';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether drafts are saved automatically: on unless it was switched off in this browser. */
const useAutosaveSetting = (): boolean =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== 'off');

function keepAutosave(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
  for (const listener of listeners) listener();
}

export interface Autosave {
  readonly isOn: boolean;
  /** Remembered in this browser. */
  switchTo(isOn: boolean): void;
  /** Saves at once when the screen is left; true if nothing is left to save. */
  leave(): Promise<boolean>;
}

/** How long leaving waits for the save. */
const LEAVE_MILLISECONDS = 5000;

const falseAfter = (milliseconds: number): Promise<boolean> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds, false));

function useHiddenTab(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onChange = (): void => {
      if (document.visibilityState === 'hidden') latest.current();
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
}

/**
 * Saves the draft a while after its last change. It never publishes.
 * @param isPreviewed whether the page is shown beside the form, so that a change should be seen soon
 */
export function useAutosave(editor: EntryEditor, mayWrite: boolean, isPreviewed = false): Autosave {
  const isOn = useAutosaveSetting();
  const latest = useRef(editor);
  latest.current = editor;
  const { draft, isDirty, isBusy, progress, conflict } = editor;
  const mayTry = isOn && mayWrite && !isBusy && conflict === undefined && !isHeldBack(progress, draft);
  const isDue = mayTry && isDirty;
  const failures = progress.kind === 'failed' ? progress.attempts : 0;
  useEffect(() => {
    if (!isDue) return undefined;
    const pause = pauseBeforeSave(latest.current.progress, Date.now(), isPreviewed);
    const timer = setTimeout(() => void latest.current.saveQuietly(), pause);
    return () => clearTimeout(timer);
  }, [draft, isDue, failures, isPreviewed]);
  useHiddenTab(() => {
    if (isDue && failures === 0) void editor.saveQuietly();
  });
  return {
    isOn,
    switchTo: keepAutosave,
    leave: async () => {
      if (!isChanged(latest.current.latest())) return true;
      // What failed before is not tried silently once more: the user decides.
      if (!mayTry || progress.kind === 'failed') return false;
      return Promise.race([editor.saveQuietly(), falseAfter(LEAVE_MILLISECONDS)]);
    },
  };
}
