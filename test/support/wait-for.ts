import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 20;
/** Below jest's timeout, so that the failure names the condition. */
const MOST_MS = 25_000;

/** Polls until the condition returns a truthy value. @param what names the condition in the failure */
export async function waitFor<Value>(what: string, condition: () => Promise<Value> | Value): Promise<Value> {
  const end = Date.now() + MOST_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`This did not happen: ${what}.`);
    await delay(PAUSE_MS);
  }
}
