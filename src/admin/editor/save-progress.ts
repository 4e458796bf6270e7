import type { Failure } from '../api/failure.js';
import type { Draft } from './draft.js';

/** What became of the last save. */
export type SaveProgress =
  { readonly kind: 'none' | 'saving' } | { readonly kind: 'saved'; readonly at: string } | FailedSave;

interface FailedSave {
  readonly kind: 'failed';
  readonly failure: Failure;
  /** What was refused. */
  readonly draft: Draft;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Consecutive attempts that failed for a reason that passes; 0 if the draft itself is refused. */
  readonly attempts: number;
}

/** Reasons that pass without a change of the draft. */
const passing = new Set(['offline', 'service_unavailable', 'rate_limit_exceeded', 'internal_error']);

export function failedSave(failure: Failure, draft: Draft, before: SaveProgress): FailedSave {
  const earlier = before.kind === 'failed' ? before.attempts : 0;
  const attempts = passing.has(failure.code) ? earlier + 1 : 0;
  return { kind: 'failed', failure, draft, at: Date.now(), attempts };
}

const PAUSE_MILLISECONDS = 5000;
/** With the page beside the form. */
const PREVIEWED_MILLISECONDS = 300;
const FIRST_RETRY_MILLISECONDS = 10_000;
const LAST_RETRY_MILLISECONDS = 60_000;

/** Until a draft is saved after its last change, in milliseconds. */
export function pauseBeforeSave(progress: SaveProgress, now: number, isPreviewed = false): number {
  if (progress.kind !== 'failed' || progress.attempts === 0)
    return isPreviewed ? PREVIEWED_MILLISECONDS : PAUSE_MILLISECONDS;
  const retry = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** (progress.attempts - 1), LAST_RETRY_MILLISECONDS);
  return Math.max(PAUSE_MILLISECONDS, progress.at + retry - now);
}

/** A conflict waits for the user, and a refused draft for a change of it. */
export const isHeldBack = (progress: SaveProgress, draft: Draft): boolean =>
  progress.kind === 'failed' &&
  progress.attempts === 0 &&
  (progress.failure.code === 'version_conflict' || progress.draft === draft);
