import type { ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';

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
