import { useLayoutEffect } from 'react';

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
