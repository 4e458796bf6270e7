import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** The event loop accepts pending connections at least once per pause. */
const PAUSE_MS = 5;
/** Consecutive pauses without a new connection. */
const QUIET_PAUSES = 10;

/**
 * Resolves in a turn of the event loop without pending connections. Closing a listener resets every connection in
 * its accept queue, so the caller accepts connections without serving them until then: clients that wait for a
 * response send no more.
 * @param accepted the number of connections so far
 * @param maxMs then the first turn without an arrival is taken
 */
export async function emptyAcceptQueue(accepted: () => number, maxMs: number): Promise<void> {
  let quiet = 0;
  for (let pauses = 0; pauses * PAUSE_MS < maxMs && quiet < QUIET_PAUSES; pauses += 1) {
    const before = accepted();
    await delay(PAUSE_MS);
    quiet = accepted() === before ? quiet + 1 : 0;
  }
  // Node accepts one connection per turn.
  for (let turns = 0; turns < 1000; turns += 1) {
    const before = accepted();
    await nextTurn();
    if (accepted() === before) return;
  }
}
