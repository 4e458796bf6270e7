import { timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { hashOfToken } from '../../infrastructure/ids.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import { NO_STORE, type Answer } from './answer.js';
import { Exchange } from './exchange.js';
import { failureAnswer } from './failure-answer.js';
import { finish } from './pipeline.js';

function hasToken({ request }: Exchange, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(hashOfToken(given), hashOfToken(token));
}

/**
 * @param token bearer token; undefined only on a private port
 * @throws AppError 401 `unauthorized`
 */
export async function metricsAnswer(
  exchange: Exchange,
  metrics: Metrics,
  token: string | undefined,
): Promise<Answer> {
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
