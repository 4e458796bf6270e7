import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;
/** Below the limit of a test, so that the failure names the condition. Only a condition that never holds takes it. */
const MOST_MS = 120_000;

/**
 * Polls until a condition holds.
 * @param what names the condition in the failure
 * @returns the first truthy value
 */
export async function waitFor<Value>(what: string, condition: () => Promise<Value> | Value): Promise<Value> {
  const end = Date.now() + MOST_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`This did not happen: ${what}.`);
    await delay(PAUSE_MS);
  }
}
