import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Surface } from '../../access/principal.js';
import { isUuid, newRequestId } from '../../infrastructure/ids.js';
import { showRate } from './rate-headers.js';
import type { Call } from '../../procedures/index.js';
import { clientAddress, type TrustedProxies } from './client-address.js';
import { noteOf } from './request-note.js';
import { Attached } from './exchange-value.js';

/** Addresses of requests that came over proxies. */
const addresses = new Attached<IncomingMessage, string | null>();

/** The id of an exchange: the caller's, if it is a UUID, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && isUuid(sent) ? sent.toLowerCase() : newRequestId();
}

/**
 * Gives the exchange its id, which every response bears. Finds out where the request came from, as far as
 * `proxies` can be believed.
 */
export function beginExchange(
  request: IncomingMessage,
  response: ServerResponse,
  proxies: TrustedProxies = [],
): string {
  addresses.set(request, clientAddress(request, proxies));
  const requestId = requestIdOf(request);
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
    ip: addresses.get(request) ?? clientAddress(request, []),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    onRecognised: ({ principal, catalog, tool }) => {
      if (tool !== undefined) note.operation = tool;
      note.principalId = principal.kind === 'anonymous' ? null : principal.id;
      note.tenantId = catalog?.data.tenant.id ?? null;
      note.project = catalog?.data.project.slug ?? null;
    },
    tellRate: (state) => {
      if (!response.headersSent) showRate(response, state);
    },
  };
}
