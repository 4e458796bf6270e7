import { withTimeLimit } from './time-limit.js';

/** Bounds of what a start waits for. */
export interface StartWait {
  readonly noticeMs: number;
  readonly limitMs: number;
  /** Called once for each wait that takes longer than `noticeMs`. */
  onWait(waitingFor: string): void;
}

/** For callers without a log. */
export const silentWait: StartWait = { noticeMs: 5000, limitMs: 60_000, onWait: () => undefined };

/** @param waitingFor is called when it is reported, as it can become clearer during the wait */
export async function withNotice<T>(
  { noticeMs, onWait }: StartWait,
  waitingFor: () => string,
  work: Promise<T>,
): Promise<T> {
  const notice = setTimeout(() => {
    onWait(waitingFor());
  }, noticeMs);
  try {
    return await work;
  } finally {
    clearTimeout(notice);
  }
}

/**
 * {@link withNotice} with a limit.
 * @throws Error, in one line that names what the start waited for
 */
export function withinStart<T>(wait: StartWait, waitingFor: () => string, work: Promise<T>): Promise<T> {
  const failure = (): Error =>
    new Error(
      `The start gave up after ${String(wait.limitMs / 1000)} s of waiting for ${waitingFor()} ` +
        '(DATABASE_START_TIMEOUT_SECONDS).',
    );
  return withTimeLimit(wait.limitMs, withNotice(wait, waitingFor, work), failure);
}
