import { AppError } from '../../../contracts/errors.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import type { Readiness } from '../../infrastructure/readiness.js';
import { jsonAnswer, type Answer } from '../../surfaces/http/answer.js';
import type { Exchange } from '../../surfaces/http/exchange.js';
import { methodNotAllowed } from '../../surfaces/http/failure-answer.js';
import { metricsAnswer } from '../../surfaces/http/metrics-endpoint.js';
import type { Route } from '../../surfaces/http/pipeline.js';

interface ProbeParts {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly metricsToken?: string | undefined;
}

const isGet = ({ request: { method } }: Exchange): boolean => method === 'GET' || method === 'HEAD';

const onlyGet =
  (route: Route): Route =>
  (exchange) =>
    isGet(exchange) ? route(exchange) : methodNotAllowed(exchange, ['GET']);

/** Parts that published reads do without. */
const forWrites: ReadonlySet<string> = new Set(['queue', 'writes']);

const isForReads = ({ request: { url = '' } }: Exchange): boolean =>
  new URLSearchParams(url.split('?')[1]).get('for') === 'reads';

async function readinessAnswer(
  exchange: Exchange,
  readiness: Readiness,
  isDraining: boolean,
): Promise<Answer> {
  if (isDraining) throw new AppError('service_unavailable', { reason: 'draining' });
  const { checks, degraded } = await readiness.check();
  const ignored = isForReads(exchange) ? forWrites : undefined;
  const failing = Object.entries(checks).find(
    ([part, state]) => state === 'failing' && ignored?.has(part) !== true,
  );
  if (failing !== undefined) throw new AppError('service_unavailable', { reason: failing[0], checks });
  const data = degraded.length === 0 ? { status: 'ready', checks } : { status: 'degraded', degraded, checks };
  return jsonAnswer(200, { data });
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
