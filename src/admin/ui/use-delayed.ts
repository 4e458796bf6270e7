import { useEffect, useState } from 'react';

/** The value once it has not changed for a while: searching waits for the end of a word. */
export function useDelayed<T>(value: T, milliseconds = 250): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setDelayed, milliseconds, value);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}
