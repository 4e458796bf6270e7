import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Surface } from '../../access/principal.js';
import { isUuid, newId } from '../../infrastructure/ids.js';
import type { Call } from '../../procedures/index.js';

/** The address without the prefix that IPv4 bears on a dual-stack socket. */
const plainAddress = (address: string | undefined): string | null =>
  address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;

/** The id of an exchange: the caller's, if it is a UUID, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && isUuid(sent) ? sent.toLowerCase() : newId();
}

/** Gives the exchange its id, which every response bears. */
export function beginExchange(request: IncomingMessage, response: ServerResponse): string {
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  return requestId;
}

/** What the gate needs to know of a request. The id is the one {@link beginExchange} set. */
export function callOf(request: IncomingMessage, response: ServerResponse, surface: Surface): Call {
  return {
    surface,
    authorization: request.headers.authorization,
    requestId: String(response.getHeader('X-Request-Id') ?? ''),
    ip: plainAddress(request.socket.remoteAddress),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  };
}
