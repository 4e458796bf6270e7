import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { Exchange } from './exchange.js';

export interface RequestObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** nginx's code for a connection that the client closed; log and metrics only. */
const CLIENT_CLOSED = 499;
const LONGEST_PATH = 300;

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
      // The query may contain preview tokens and search terms.
      path: (request.url ?? '').split('?')[0]?.slice(0, LONGEST_PATH),
      route,
      status,
      durationMs: Math.round(seconds * 1e5) / 100,
      surface,
      operation,
      ...caller,
    },
    'request finished',
  );
}

export function observeRequest(exchange: Exchange, observer: RequestObserver): void {
  const start = process.hrtime.bigint();
  exchange.response.once('close', () => {
    recordRequest(observer, exchange, Number(process.hrtime.bigint() - start) / 1e9);
  });
}
