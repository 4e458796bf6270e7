import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { Exchange } from './exchange.js';

/** Where requests are recorded. */
export interface RequestObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The client closed the connection before the response was complete (nginx's code, in log and metrics only). */
const CLIENT_CLOSED = 499;
const LONGEST_PATH = 300;

/** Client errors are ordinary; failures of the service are not, nor is shedding load. */
function levelOf(status: number, surface: string): 'debug' | 'info' | 'warn' | 'error' {
  if (surface === 'service') return 'debug';
  if (status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}

function recordRequest({ logger, metrics }: RequestObserver, exchange: Exchange, seconds: number): void {
  const { request, response } = exchange;
  const { surface, operation, route, ...caller } = exchange.record;
  const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
  metrics.answered({ surface, operation, status, seconds });
  const level = levelOf(status, surface);
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      requestId: exchange.requestId,
      method: request.method,
      // Without the query, which may contain preview tokens and search terms.
      path: (request.url ?? '').split('?')[0]?.slice(0, LONGEST_PATH),
      route,
      status,
      durationMs: Math.round(seconds * 1e5) / 100,
      surface,
      operation,
      ...caller,
    },
    'request',
  );
}

/** Records the request in log and metrics when its response is closed. */
export function observeRequest(exchange: Exchange, observer: RequestObserver): void {
  const start = process.hrtime.bigint();
  exchange.response.once('close', () => {
    recordRequest(observer, exchange, Number(process.hrtime.bigint() - start) / 1e9);
  });
}
