import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../contracts/errors.js';

const RETRIES = 6;
const FIRST_MILLISECONDS = 250;
const LONGEST_MILLISECONDS = 60_000;

/** Failures that pass. */
const passing: readonly AppError['code'][] = [
  'service_unavailable',
  'storage_unavailable',
  'rate_limit_exceeded',
];

function pauseBefore(retry: number, { details }: AppError): number {
  const { retryAfter } = (details ?? {}) as { readonly retryAfter?: unknown };
  const asked = typeof retryAfter === 'number' ? retryAfter * 1000 : 0;
  // Spread, so that concurrent calls do not come back together.
  const backOff = FIRST_MILLISECONDS * 2 ** retry * (0.5 + Math.random() / 2);
  return Math.min(Math.max(asked, backOff), LONGEST_MILLISECONDS);
}

export type Pause = (milliseconds: number) => Promise<unknown>;

/** Repeats a call that fails with 503, or with 429 after the time that it names, a few times. */
export async function retryPassing<T>(call: () => Promise<T>, pause: Pause = delay): Promise<T> {
  for (let retry = 0; ; retry += 1)
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError) || !passing.includes(error.code) || retry === RETRIES) throw error;
      await pause(pauseBefore(retry, error));
    }
}
