import type { IncomingMessage, ServerResponse } from 'node:http';
import { toAppError } from '../../../contracts/procedure.js';
import type { Logger } from '../../infrastructure/logger.js';
import { sendFailure, setFailureHeaders, withRequestId } from '../http/send.js';

const realms = [
  ['/api/delivery', 'delivery'],
  ['/api/v1/platform', 'platform'],
  ['/api/graphql', 'graphql'],
  ['/api/mcp', 'mcp'],
] as const;

const realmOf = (url: string): string =>
  realms.find(([prefix]) => url.startsWith(prefix))?.[1] ?? 'management';

/** Answers any failure with the envelope of specification section 7. */
export function respondWithFailure(
  exchange: { request: IncomingMessage; response: ServerResponse; logger: Logger },
  failure: unknown,
): void {
  const { request, response, logger } = exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const requestId = String(response.getHeader('X-Request-Id') ?? '');
  const error = withRequestId(toAppError(failure), failure, { logger, requestId });
  const isCredentialSent = request.headers.authorization !== undefined;
  setFailureHeaders(response, error, { realm: realmOf(request.url ?? ''), isCredentialSent });
  sendFailure(response, error);
}
