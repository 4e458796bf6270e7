import type { CallOutcome } from '../../../infrastructure/webhook-sender.js';

/** Seconds before each of ten attempts, about 75 hours in total (decisions 2.20). */
export const retrySeconds: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
];
/** Lengthens pauses by up to this share, so that retries spread. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** `Retry-After` as a number of seconds or a date. */
function retryAfterSeconds(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

export interface RetryRules {
  readonly seconds: readonly number[];
  /** From 0 to 1. */
  random(): number;
}

/** Undefined after the last of `made` failures. The target's `Retry-After` can lengthen the pause to a day. */
export function nextAttemptAt(
  made: number,
  { retryAfter }: Pick<CallOutcome, 'retryAfter'>,
  { rules, now }: { rules: RetryRules; now: Date },
): Date | undefined {
  const pause = rules.seconds[made];
  if (pause === undefined) return undefined;
  const seconds = Math.max(pause * (1 + JITTER * rules.random()), retryAfterSeconds(retryAfter, now));
  return new Date(now.getTime() + Math.ceil(seconds * 1000));
}
