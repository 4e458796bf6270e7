import { useEffect, useState, type KeyboardEvent } from 'react';
import type { PaletteOption } from './option.js';

interface ActiveOption {
  readonly active: PaletteOption | undefined;
  readonly choose: (option: PaletteOption) => void;
  /** After the options were replaced: the first one is active again. */
  readonly reset: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Which option Enter runs: the one that arrow keys chose, else the first.
 * @param isOutdated Enter waits for what a search finds, because the option shown was not asked for
 */
export function useActiveOption(
  options: readonly PaletteOption[],
  isOutdated: boolean,
  onRun: (option: PaletteOption) => void,
): ActiveOption {
  const [key, setKey] = useState<string>();
  const [isWaiting, setIsWaiting] = useState(false);
  const active = options.find((option) => option.key === key) ?? options[0];
  const mustWait = isOutdated && (active === undefined || active.isFound === true);
  useEffect(() => {
    if (!isWaiting || mustWait) return;
    setIsWaiting(false);
    if (active !== undefined) onRun(active);
  }, [isWaiting, mustWait, active, onRun]);
  const move = (by: number): void => {
    const place = active === undefined ? -1 : options.indexOf(active);
    setKey(options.at((place + by) % options.length)?.key);
  };
  return {
    active,
    choose: (option) => setKey(option.key),
    reset: () => {
      setKey(undefined);
      setIsWaiting(false);
    },
    onKeyDown: (event) => {
      const step = steps[event.key];
      if (step !== undefined && options.length > 0) move(step);
      else if (event.key === 'Enter' && !event.nativeEvent.isComposing) setIsWaiting(true);
      else return;
      event.preventDefault();
    },
  };
}
