import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** The event loop polls, and accepts what is pending, at least once in each pause. */
const PAUSE_MS = 5;
/** So many pauses in a row without a new connection. */
const QUIET_PAUSES = 10;

/**
 * Resolves in a turn of the event loop whose poll found no pending connection: a listener closed in that turn resets
 * none. Closing a listener resets every connection in its accept queue, and nothing can both empty the queue and
 * refuse newcomers, so the caller accepts connections without serving them until this resolves. Clients that reconnect
 * after each response then wait for one, and the arrivals end.
 * @param accepted the number of connections accepted so far
 * @param maxMs after this long the first turn without an arrival is taken
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
