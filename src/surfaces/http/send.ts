import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, failureBody } from '../../../contracts/errors.js';
import type { Logger } from '../../infrastructure/logger.js';

/** Seconds after which a client may try again when the database is away. */
const RETRY_AFTER_SECONDS = 2;

/** Sends the bytes of a JSON body. Their number is stated, so that connections can be kept. */
function sendBytes(response: ServerResponse, status: number, bytes: Buffer): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendBytes(response, status, Buffer.from(JSON.stringify(body), 'utf8'));
}

/** Whether a caller has this answer already: `If-None-Match` compares weakly (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}

/** Sends a JSON body with a strong entity tag of its bytes; 304 without them to a caller that has them. */
export function sendTagged(request: IncomingMessage, response: ServerResponse, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const tag = `"${createHash('sha1').update(bytes).digest('base64url')}"`;
  response.setHeader('ETag', tag);
  if (isKnown(request.headers['if-none-match'], tag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  sendBytes(response, 200, bytes);
}

/** Seconds that a caller over its limit is told to wait. */
function retryAfter({ details }: AppError): number {
  const seconds = (details as { retryAfter?: unknown } | undefined)?.retryAfter;
  return typeof seconds === 'number' ? seconds : RETRY_AFTER_SECONDS;
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
  if (error.status === 429) response.setHeader('Retry-After', retryAfter(error));
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
