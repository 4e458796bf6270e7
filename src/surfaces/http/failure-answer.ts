import { AppError, failureBody } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Answer, HeaderList } from './answer.js';
import type { Exchange } from './exchange.js';

/** Seconds after which a client may try again when the database is unavailable. */
const RETRY_AFTER_SECONDS = 2;

/** The name of an interface in `WWW-Authenticate`, by the start of its paths. */
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

/** Seconds that a caller over its limit must wait. */
function retryAfter({ details }: AppError): number {
  const seconds = (details as { retryAfter?: unknown } | undefined)?.retryAfter;
  return typeof seconds === 'number' ? seconds : RETRY_AFTER_SECONDS;
}

/** The headers that belong to a failure's status (RFC 6750, decisions 2.2). */
export function failureHeaders({ request }: Exchange, error: AppError): HeaderList {
  const headers = ['Cache-Control', 'no-store'];
  const { status } = error;
  if (status === 401) {
    const reason = request.headers.authorization === undefined ? '' : ', error="invalid_token"';
    headers.push('WWW-Authenticate', `Bearer realm="${realmOf(request.url ?? '')}"${reason}`);
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

/** Logs an unexpected failure, and adds the id of the request by which it is found in the log. */
export function withRequestId(
  error: AppError,
  cause: unknown,
  log: { logger: Logger; requestId: string },
): AppError {
  if (error.code !== 'internal_error') return error;
  log.logger.error({ requestId: log.requestId, err: cause }, 'unexpected failure');
  return new AppError('internal_error', { requestId: log.requestId });
}

/** The error that a caller sees for a failure; an unexpected one is logged. */
export function publicError({ settings, requestId }: Exchange, failure: unknown): AppError {
  return withRequestId(toAppError(failure), failure, { logger: settings.logger, requestId });
}

/** The answer to a failure: the envelope of specification section 7. */
export function failureAnswer(exchange: Exchange, failure: unknown, headers: HeaderList = []): Answer {
  const error = publicError(exchange, failure);
  return {
    status: error.status,
    headers: [...failureHeaders(exchange, error), ...headers],
    body: { json: failureBody(error) },
  };
}

/** The 405 of a path that exists for other methods. */
export function methodNotAllowed(exchange: Exchange, allowed: readonly string[]): Answer {
  const methods = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const error = new AppError('method_not_allowed', { allowed: methods });
  return failureAnswer(exchange, error, ['Allow', methods.join(', ')]);
}
