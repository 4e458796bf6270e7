import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import { noteOf } from './request-note.js';

/** Where requests are told of. */
export interface RequestObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the client closed before it had its answer (nginx's code, in log and metrics alone). */
const CLIENT_CLOSED = 499;
const LONGEST_PATH = 300;

/** Refusals of the client are ordinary; the service's own failures are not, nor is having to turn somebody away. */
function levelOf(status: number, surface: string): 'debug' | 'info' | 'warn' | 'error' {
  if (surface === 'service') return 'debug';
  if (status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}

function tell(
  { logger, metrics }: RequestObserver,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  seconds: number,
): void {
  const { surface, operation, route, requestId, ...who } = noteOf(response);
  const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
  metrics.answered({ surface, operation, status, seconds });
  const level = levelOf(status, surface);
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      requestId: requestId ?? response.getHeader('X-Request-Id'),
      method: request.method,
      // Without the query: tokens of previews and searches of people stand there.
      path: (request.url ?? '').split('?')[0]?.slice(0, LONGEST_PATH),
      route,
      status,
      durationMs: Math.round(seconds * 1e5) / 100,
      surface,
      operation,
      ...who,
    },
    'request',
  );
}

/** Tells of every request that a handler answers: one line in the log, and the counts. */
export function observeRequests(handler: RequestListener, observer: RequestObserver): RequestListener {
  return (request, response) => {
    const begun = process.hrtime.bigint();
    response.once('close', () => {
      tell(observer, { request, response }, Number(process.hrtime.bigint() - begun) / 1e9);
    });
    handler(request, response);
  };
}
