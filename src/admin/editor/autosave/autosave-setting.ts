import { useSyncExternalStore } from 'react';

const KEY = 'headwater.autosave';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether drafts are saved automatically: on unless it was switched off in this browser. */
export const useAutosaveSetting = (): boolean =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== 'off');

export function keepAutosave(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
  for (const listener of listeners) listener();
}
