import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { OpenSpan, Tracer } from '../../infrastructure/work-context.js';
import { forClient, WaitingClient } from '../../infrastructure/work-context.js';
import type { Exchange } from './exchange.js';
import { isStream, type HttpAnswer } from './answer.js';
import { failureAnswer, overloaded } from './failure-answer.js';
import type { ConcurrencyLimit } from './limit-concurrency.js';
import { sendAnswer } from './send-answer.js';
import { preflightAnswer } from './shared-headers.js';

export interface RequestObserver {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unset: nothing is traced. */
  readonly tracer?: Tracer | undefined;
}

/** nginx's code for a connection that the client closed; log and metrics only. */
const CLIENT_CLOSED = 499;
const LONGEST_PATH = 300;

function levelOf(status: number, surface: string): 'debug' | 'info' | 'warn' | 'error' {
  if (surface === 'service') return 'debug';
  if (status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}

/** Asked for all the time, whatever callers do. */
const PROBES = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;
const UNKNOWN = 'none';

/** Paths and queries are left out: they hold content and tokens. */
function startSpan({ tracer }: RequestObserver, { request }: Exchange): OpenSpan | undefined {
  const { method = '', url = '', headers } = request;
  if (tracer === undefined || PROBES.test(url)) return undefined;
  const attributes = { 'http.request.method': method };
  return tracer.start({ name: method, kind: 'server', attributes }, headers.traceparent?.toString());
}

function endSpan(span: OpenSpan, { record, requestId }: Exchange, status: number): void {
  const { surface, operation, route } = record;
  if (operation !== UNKNOWN) span.rename(operation);
  span.note({
    ...(route !== UNKNOWN && { 'http.route': route }),
    'http.response.status_code': status,
    'headwater.surface': surface,
    'headwater.operation': operation,
    'headwater.request_id': requestId,
  });
  if (status >= 500) span.fail(String(status));
  span.end();
}

interface Observed {
  readonly seconds: number;
  readonly span: OpenSpan | undefined;
}

function recordRequest(
  { logger, metrics }: RequestObserver,
  exchange: Exchange,
  { seconds, span }: Observed,
): void {
  const { request, response } = exchange;
  const { surface, operation, route, ...caller } = exchange.record;
  const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED;
  metrics.answered({ surface, operation, status, seconds });
  if (span !== undefined) endSpan(span, exchange, status);
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
      ...span?.ids,
    },
    'request finished',
  );
}

function observeRequest(exchange: Exchange, observer: RequestObserver): OpenSpan | undefined {
  const start = process.hrtime.bigint();
  const span = startSpan(observer, exchange);
  exchange.response.once('close', () => {
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    recordRequest(observer, exchange, { seconds, span });
  });
  return span;
}

/** Undefined if the surface writes the response. */
export type Route = (exchange: Exchange) => HttpAnswer | undefined | Promise<HttpAnswer | undefined>;

interface PipelineParts {
  readonly observer: RequestObserver;
  readonly limit: ConcurrencyLimit;
  readonly route: Route;
}

/** Every request passes through: log, concurrency limit, preflight, surface, failure envelope. */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  /** Never rejects; undefined if the response was written. */
  answer(exchange: Exchange): ReturnType<Route> {
    const { observer, limit, route } = this.parts;
    const span = observeRequest(exchange, observer);
    const leave = limit.enter(exchange.request);
    if (leave === undefined) return failureAnswer(exchange, overloaded);
    const done = (answer: HttpAnswer | undefined): HttpAnswer | undefined => {
      leaveWhenMade(exchange, answer, leave);
      return answer;
    };
    const failed = (failure: unknown): HttpAnswer | undefined => done(afterFailure(exchange, failure));
    if (exchange.request.method === 'OPTIONS') return done(preflightAnswer(exchange.request));
    try {
      const client = new WaitingClient(exchange.response, limit.counts(exchange.request));
      const answer = forClient(client, () => route(exchange), span);
      return answer instanceof Promise ? answer.then(done, failed) : done(answer);
    } catch (failure) {
      return failed(failure);
    }
  }

  handle(exchange: Exchange): void {
    const answer = this.answer(exchange);
    if (answer instanceof Promise) void answer.then((one) => finish(exchange, one));
    else void finish(exchange, answer);
  }
}

/** A stream is produced while it is sent; every other body is complete before. */
function leaveWhenMade({ response }: Exchange, answer: HttpAnswer | undefined, leave: () => void): void {
  const isMade =
    answer === undefined
      ? response.writableEnded || response.closed
      : !isStream(answer.body) || answer.body.isStored === true;
  if (isMade) {
    leave();
    return;
  }
  response.once('close', leave);
  if (answer !== undefined && isStream(answer.body)) answer.body.stream.once('close', leave);
}

function afterFailure(exchange: Exchange, failure: unknown): HttpAnswer | undefined {
  if (!exchange.response.headersSent) return failureAnswer(exchange, failure);
  exchange.response.destroy();
  return undefined;
}

export async function finish(exchange: Exchange, answer: HttpAnswer | undefined): Promise<void> {
  if (answer === undefined) return;
  try {
    await sendAnswer(exchange, answer);
  } catch (failure) {
    const substitute = afterFailure(exchange, failure);
    if (substitute !== undefined) await sendAnswer(exchange, substitute);
  }
}
