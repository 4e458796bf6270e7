import { timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { hashOfToken } from '../../infrastructure/ids.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { Readiness } from '../../infrastructure/readiness.js';
import { jsonAnswer, NO_STORE, type HttpAnswer } from './answer.js';
import { isRead, Exchange } from './exchange.js';
import { failureAnswer, methodNotAllowed } from './failure-answer.js';
import { finish, type Route } from './pipeline.js';

function hasToken({ request }: Exchange, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(hashOfToken(given), hashOfToken(token));
}

/**
 * @param token bearer token; undefined only on a private port
 * @throws AppError 401 `unauthorized`
 */
async function metricsAnswer(
  exchange: Exchange,
  metrics: Metrics,
  token: string | undefined,
): Promise<HttpAnswer> {
  if (token !== undefined && !hasToken(exchange, token)) throw new AppError('unauthorized');
  const { contentType, text } = await metrics.render();
  return { status: 200, headers: NO_STORE, body: { text, mediaType: contentType } };
}

/** For a separate port. */
export function metricsListener(
  metrics: Metrics,
  token: string | undefined,
  logger: Logger,
): RequestListener {
  const settings = { logger, trustedProxies: 0, sharedHeaders: [] };
  return (request, response) => {
    const exchange = new Exchange(request, response, settings);
    const isFound = request.method === 'GET' && (request.url ?? '').split('?')[0] === '/metrics';
    const answer = isFound
      ? metricsAnswer(exchange, metrics, token)
      : Promise.reject(new AppError('not_found'));
    void answer
      .catch((failure: unknown) => failureAnswer(exchange, failure))
      .then((one) => finish(exchange, one));
  };
}

interface ProbeParts {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly metricsToken?: string | undefined;
}

const onlyGet =
  (route: Route): Route =>
  (exchange) =>
    isRead(exchange.request.method) ? route(exchange) : methodNotAllowed(exchange, ['GET']);

/** Parts that published reads do without. */
const forWrites: ReadonlySet<string> = new Set(['queue', 'writes']);

const isForReads = ({ request: { url = '' } }: Exchange): boolean =>
  new URLSearchParams(url.split('?')[1]).get('for') === 'reads';

async function readinessAnswer(
  exchange: Exchange,
  readiness: Readiness,
  isDraining: boolean,
): Promise<HttpAnswer> {
  if (isDraining) throw new AppError('service_unavailable', { reason: 'draining' });
  const { checks, degraded, details } = await readiness.check();
  const ignored = isForReads(exchange) ? forWrites : undefined;
  const failing = Object.entries(checks).find(
    ([part, state]) => state === 'failing' && ignored?.has(part) !== true,
  );
  if (failing !== undefined) throw new AppError('service_unavailable', { reason: failing[0], checks });
  const data = degraded.length === 0 ? { status: 'ready' } : { status: 'degraded', degraded };
  return jsonAnswer(200, { data: { ...data, checks, ...details } });
}

/** Liveness, readiness and metrics by path. */
export function probesOf(
  { readiness, metrics, metricsToken }: ProbeParts,
  isDraining: () => boolean,
): ReadonlyMap<string, Route> {
  const probes = new Map<string, Route>([
    ['/healthz', onlyGet(() => jsonAnswer(200, { data: { status: 'ok' } }))],
    ['/readyz', onlyGet((exchange) => readinessAnswer(exchange, readiness, isDraining()))],
  ]);
  if (metricsToken !== undefined)
    probes.set(
      '/metrics',
      onlyGet((exchange) => metricsAnswer(exchange, metrics, metricsToken)),
    );
  return probes;
}
