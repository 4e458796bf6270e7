import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import type { Metrics } from '../../infrastructure/metrics.js';
import { sendFailure, setFailureHeaders } from './send.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isTold(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/**
 * Answers with the metrics.
 * @param token what must be sent as a bearer credential; undefined only where nobody else can reach the port
 * @throws AppError 401 `unauthorized`
 */
export async function sendMetrics(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  metrics: Metrics,
  token: string | undefined,
): Promise<void> {
  if (token !== undefined && !isTold(request, token)) throw new AppError('unauthorized');
  const { contentType, text } = await metrics.render();
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  response.end(text);
}

/** Serves the metrics on a port of their own, under `/metrics`. */
export function metricsListener(metrics: Metrics, token: string | undefined): RequestListener {
  return (request, response) => {
    const refuse = (failure: unknown): void => {
      const error = failure instanceof AppError ? failure : new AppError('internal_error');
      const isCredentialSent = request.headers.authorization !== undefined;
      setFailureHeaders(response, error, { realm: 'metrics', isCredentialSent });
      sendFailure(response, error);
    };
    const isAsked = request.method === 'GET' && (request.url ?? '').split('?')[0] === '/metrics';
    if (isAsked) sendMetrics({ request, response }, metrics, token).catch(refuse);
    else refuse(new AppError('not_found'));
  };
}
