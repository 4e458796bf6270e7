import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Surface } from '../../access/principal.js';
import { isUuid, newId } from '../../infrastructure/ids.js';
import type { Call } from '../../procedures/index.js';
import { noteOf } from './request-note.js';

/** The address without the prefix that IPv4 bears on a dual-stack socket. */
const plainAddress = (address: string | undefined): string | null =>
  address?.replace(/^::ffff:(?=\d+\.)/, '') ?? null;

/** Gives the exchange its id: the caller's, if it is a UUID, else a new one; every response bears it. */
export function beginExchange(request: IncomingMessage, response: ServerResponse): string {
  const sent = request.headers['x-request-id'];
  const requestId = typeof sent === 'string' && isUuid(sent) ? sent.toLowerCase() : newId();
  response.setHeader('X-Request-Id', requestId);
  return requestId;
}

/** What the gate needs to know of a request, whose note it begins. The id is the one {@link beginExchange} set. */
export function callOf(request: IncomingMessage, response: ServerResponse, surface: Surface): Call {
  const note = noteOf(response);
  note.surface = surface;
  return {
    surface,
    authorization: request.headers.authorization,
    requestId: String(response.getHeader('X-Request-Id') ?? ''),
    ip: plainAddress(request.socket.remoteAddress),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    onRecognised: ({ principal, catalog, tool }) => {
      if (tool !== undefined) note.operation = tool;
      note.principalId = principal.kind === 'anonymous' ? null : principal.id;
      note.tenantId = catalog?.data.tenant.id ?? null;
      note.project = catalog?.data.project.slug ?? null;
    },
  };
}
