import { useCallback, useRef } from 'react';

/** Runs work when all earlier work is done, so that each call names the version that the one before made. */
export function useTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return useCallback((work) => {
    const next = last.current.then(work);
    last.current = next.catch(() => undefined);
    return next;
  }, []);
}
