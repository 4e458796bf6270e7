import { setTimeout as delay } from 'node:timers/promises';

const BOUND_MS = 10_000;

/** Waits for a closing, but not for ever: what did not end in time is named on standard error. */
export async function bounded(what: string, closing: Promise<unknown>, ms = BOUND_MS): Promise<boolean> {
  const timer = new AbortController();
  const isClosed = await Promise.race([
    closing.then(() => true),
    delay(ms, false, { signal: timer.signal, ref: false }),
  ]).finally(() => {
    timer.abort();
  });
  if (!isClosed) process.stderr.write(`${what} did not end within ${String(ms / 1000)} s.\n`);
  return isClosed;
}
