import type { ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
import { accessTopic, type LiveChannel } from '../../infrastructure/live-channel.js';

const RETRY_AFTER_SECONDS = 30;

/** @throws AppError 429 `rate_limit_exceeded` for the first limit that is reached */
export function assertStreamRoom(
  counts: readonly (readonly [scope: string, limit: number, open: number])[],
): void {
  for (const [scope, limit, open] of counts)
    if (open >= limit)
      throw new AppError(
        'rate_limit_exceeded',
        { scope, limit, retryAfter: RETRY_AFTER_SECONDS },
        `Too many event streams of this ${scope} are open. Close one first.`,
      );
}

/** Begins a stream of server-sent events that proxies neither keep nor gather. */
export function beginEventStream(response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.write(': open\n\n');
}

/** Whether the credential could still open the stream. A failure of the service does not end it. */
export const staysAdmitted = (entering: Promise<unknown>): Promise<boolean> =>
  entering.then(
    () => true,
    (error: unknown) => toAppError(error).status >= 500,
  );

/** Changes of rights within this time are checked together, after the caches of credentials have been purged. */
const RECHECK_MS = 100;

interface AdmittedStream {
  /** The user or key that opened it. */
  readonly holderId: string;
  readonly pingMs: number;
  /** The checks of its opening. */
  enter(): Promise<unknown>;
  ping(): void;
  end(): void;
}

/**
 * Keeps a stream alive while its credential could open it. It is checked with each ping, and at once when the rights of
 * its holder change.
 * @returns what stops it
 */
export function keepAdmitted(live: LiveChannel, stream: AdmittedStream): () => void {
  const check = (isIn?: () => void): void => {
    void staysAdmitted(stream.enter()).then((stays) => (stays ? isIn?.() : stream.end()));
  };
  const pings = setInterval(() => {
    check(() => stream.ping());
  }, stream.pingMs).unref();
  let soon: NodeJS.Timeout | undefined;
  const unlisten = live.listen(accessTopic(stream.holderId), () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      check();
    }, RECHECK_MS).unref();
  });
  return () => {
    clearInterval(pings);
    clearTimeout(soon);
    unlisten();
  };
}
