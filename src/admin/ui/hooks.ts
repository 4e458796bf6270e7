import { useLayoutEffect, useEffect, useState, useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** The value once it has not changed for a while: searching waits for the end of a word. */
export function useDelayed<T>(value: T, milliseconds = 250): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setDelayed, milliseconds, value);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}

/**
 * Hears every key of the window, from the same moment as what is rendered can be seen: a listener that
 * follows later misses a key, or answers it for a state that is no longer shown.
 */
export function useWindowKey(onKey: (event: KeyboardEvent) => void): void {
  useLayoutEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Ctrl+S, or Command+S. */
export const isSaveKey = ({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>) =>
  key === 's' && (ctrlKey || metaKey);

/** Saves by keyboard unless a dialog is open. */
export function useSaveKey(save: () => void): void {
  useWindowKey((event) => {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    if (document.querySelector('dialog[open]') === null) save();
  });
}
