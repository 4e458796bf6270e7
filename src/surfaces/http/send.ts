import type { ServerResponse } from 'node:http';
import { AppError, failureBody } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';

/** Seconds after which a client may try again when the database is away. */
const RETRY_AFTER_SECONDS = 2;

/** Sends a JSON body. Numbers of bytes are stated, so that connections can be kept. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Headers that a failure's status calls for (RFC 6750, decisions 2.2). `realm` is the interface's name. */
export function setFailureHeaders(
  response: ServerResponse,
  error: AppError,
  challenge: { realm: string; isCredentialSent: boolean },
): void {
  response.setHeader('Cache-Control', 'no-store');
  if (error.status === 401) {
    const reason = challenge.isCredentialSent ? ', error="invalid_token"' : '';
    response.setHeader('WWW-Authenticate', `Bearer realm="${challenge.realm}"${reason}`);
  }
  if (error.status === 403) {
    response.setHeader('WWW-Authenticate', `Bearer realm="${challenge.realm}", error="insufficient_scope"`);
  }
  if (error.status === 503) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
}

/** Logs what nobody foresaw and gives it the id of the request, by which it is found again. */
export function withRequestId(
  error: AppError,
  cause: unknown,
  log: { logger: Logger; requestId: string },
): AppError {
  if (error.code !== 'internal_error') return error;
  log.logger.error({ requestId: log.requestId, err: cause }, 'unexpected failure');
  return new AppError('internal_error', { requestId: log.requestId });
}

/** The failure envelope as a JSON body. */
export function sendFailure(response: ServerResponse, error: AppError): void {
  sendJson(response, error.status, failureBody(error));
}
