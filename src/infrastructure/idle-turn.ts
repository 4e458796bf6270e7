import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** A turn of the event loop that was over so soon had nothing to do. */
const QUIET_MS = 0.1;
const MOST_MS = 500;

/**
 * Waits for a turn of the event loop in which no connection came and nothing was done: whoever stops to listen right
 * then resets no connection that has been made and not been taken yet. Node takes one connection a turn.
 * @param taken how many connections have been taken so far
 */
export async function quietTurn(taken: () => number): Promise<void> {
  const end = performance.now() + MOST_MS;
  for (;;) {
    const before = taken();
    const begun = performance.now();
    await turn();
    const now = performance.now();
    if (now > end || (taken() === before && now - begun < QUIET_MS)) return;
  }
}
