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

async function readinessAnswer(readiness: Readiness, isDraining: boolean): Promise<Answer> {
  if (isDraining) throw new AppError('service_unavailable', { reason: 'draining' });
  const { isReady, checks } = await readiness.check();
  const [reason] = Object.entries(checks).find(([, state]) => state === 'failing') ?? [];
  if (!isReady) throw new AppError('service_unavailable', { reason, checks });
  return jsonAnswer(200, { data: { status: 'ready', checks } });
}

/** Liveness, readiness and metrics by path. */
export function probesOf(
  { readiness, metrics, metricsToken }: ProbeParts,
  isDraining: () => boolean,
): ReadonlyMap<string, Route> {
  const probes = new Map<string, Route>([
    ['/healthz', onlyGet(() => jsonAnswer(200, { data: { status: 'ok' } }))],
    ['/readyz', onlyGet(() => readinessAnswer(readiness, isDraining()))],
  ]);
  if (metricsToken !== undefined)
    probes.set(
      '/metrics',
      onlyGet((exchange) => metricsAnswer(exchange, metrics, metricsToken)),
    );
  return probes;
}
