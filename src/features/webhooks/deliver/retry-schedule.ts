import type { CallOutcome } from '../../../infrastructure/webhook-sender.js';

/** Seconds before each attempt: ten of them, over about 75 hours (decisions 2.20). */
export const retrySeconds: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
];
/** A pause is made longer by up to this part, so that what failed together does not come back together. */
const JITTER = 0.2;
const MOST_RETRY_AFTER_SECONDS = 86_400;

/** `Retry-After` in seconds: a number, or a date. */
function askedSeconds(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MOST_RETRY_AFTER_SECONDS);
}

/** When and how often to try. */
export interface RetryRules {
  readonly seconds: readonly number[];
  /** From 0 to 1. */
  random(): number;
}

/**
 * When the next attempt is due after `made` of them failed; undefined where that was the last. A target may
 * ask for a longer pause than the schedule's, up to a day.
 */
export function nextAttemptAt(
  made: number,
  { retryAfter }: Pick<CallOutcome, 'retryAfter'>,
  { rules, now }: { rules: RetryRules; now: Date },
): Date | undefined {
  const pause = rules.seconds[made];
  if (pause === undefined) return undefined;
  const seconds = Math.max(pause * (1 + JITTER * rules.random()), askedSeconds(retryAfter, now));
  return new Date(now.getTime() + Math.ceil(seconds * 1000));
}
