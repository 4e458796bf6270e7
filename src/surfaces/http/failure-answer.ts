import { AppError, failureBody } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { HttpAnswer, HeaderList } from './answer.js';
import type { Exchange } from './exchange.js';

/** Sent when the database is unavailable. */
export const RETRY_AFTER_SECONDS = 2;

/** The refusal of a process at its limit. One for all requests: a new error would capture its stack. */
export const overloaded = new AppError('service_unavailable', { reason: 'overloaded' });

/** Realms of `WWW-Authenticate` by path prefix. */
const realms = [
  ['/api/delivery', 'delivery'],
  ['/api/v1/platform', 'platform'],
  ['/api/graphql', 'graphql'],
  ['/api/mcp', 'mcp'],
  ['/api/trpc', 'trpc'],
  ['/metrics', 'metrics'],
] as const;

const realmOf = (url: string): string =>
  realms.find(([prefix]) => url.startsWith(prefix))?.[1] ?? 'management';

function retryAfter({ details }: AppError): number {
  const seconds = (details as { retryAfter?: unknown } | undefined)?.retryAfter;
  return typeof seconds === 'number' ? seconds : RETRY_AFTER_SECONDS;
}

/** Headers by status (RFC 6750, rule access/failures). */
export function failureHeaders(
  { request, resourceMetadata }: Pick<Exchange, 'request' | 'resourceMetadata'>,
  error: AppError,
): HeaderList {
  const headers = ['Cache-Control', 'no-store'];
  const { status } = error;
  if (status === 401) {
    const reason = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
    const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`;
    headers.push('WWW-Authenticate', `Bearer realm="${realmOf(request.url ?? '')}"${reason}${metadata}`);
  }
  if (status === 403)
    headers.push(
      'WWW-Authenticate',
      `Bearer realm="${realmOf(request.url ?? '')}", error="insufficient_scope"`,
    );
  if (status === 429) headers.push('Retry-After', String(retryAfter(error)));
  if (status === 503) headers.push('Retry-After', String(RETRY_AFTER_SECONDS));
  return headers;
}

/** The log of one request. */
interface FailureLog {
  readonly logger: Logger;
  readonly requestId: string;
  isDatabaseReported?: boolean;
}

/** Logged once per request: every field of a query and every call of a batch fails alike. */
function reportDatabase({ cause }: AppError, log: FailureLog): void {
  if (cause === undefined || log.isDatabaseReported === true) return;
  log.isDatabaseReported = true;
  log.logger.warn({ requestId: log.requestId, err: cause }, 'database unavailable');
}

/** Logs an unexpected failure, to which it adds the request id, and the cause of an unavailable database. */
export function withRequestId(error: AppError, cause: unknown, log: FailureLog): AppError {
  if (error.code === 'service_unavailable') reportDatabase(error, log);
  if (error.code !== 'internal_error') return error;
  log.logger.error({ requestId: log.requestId, err: cause }, 'request failed unexpectedly');
  return new AppError('internal_error', { requestId: log.requestId });
}

/** The error as callers see it. Unexpected failures are logged. */
export function publicError({ settings, requestId }: Exchange, failure: unknown): AppError {
  return withRequestId(toAppError(failure), failure, { logger: settings.logger, requestId });
}

/** The failure envelope of specification section 7. */
export function failureAnswer(exchange: Exchange, failure: unknown, headers: HeaderList = []): HttpAnswer {
  const error = publicError(exchange, failure);
  return {
    status: error.status,
    headers: [...failureHeaders(exchange, error), ...headers],
    body: { json: failureBody(error) },
  };
}

/** 405 for a path with other methods. */
export function methodNotAllowed(exchange: Exchange, allowed: readonly string[]): HttpAnswer {
  const methods = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const error = new AppError('method_not_allowed', { allowed: methods });
  return failureAnswer(exchange, error, ['Allow', methods.join(', ')]);
}
