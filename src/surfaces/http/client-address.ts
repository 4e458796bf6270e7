import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isWithin, plainAddress } from '../../access/networks.js';
import { Attached } from './exchange-value.js';

/** Which proxies are believed: their number in front of the service, or the networks that they stand in. */
export type TrustedProxies = number | readonly string[];

const ofSockets = new Attached<Socket, string | null>();

/** Who speaks to us: the same for all requests of a connection. */
function peerOf({ socket }: IncomingMessage): string | null {
  const known = ofSockets.get(socket);
  if (known !== undefined) return known;
  const address = plainAddress(socket.remoteAddress);
  ofSockets.set(socket, address);
  return address;
}

/** Whom each hop names as the one before it, the caller's own claim first, and last who spoke to us. */
function chainOf(request: IncomingMessage): (string | null)[] {
  const { headers } = request;
  const forwarded = headers['x-forwarded-for'];
  const claimed = typeof forwarded === 'string' ? forwarded.split(',') : [];
  return [...claimed.map((hop) => plainAddress(withoutPort(hop.trim()))), peerOf(request)];
}

/** Some proxies write the port along: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  return bracketed ?? hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/**
 * The address of the client: the first one, from our side, that no trusted proxy vouches for as
 * another proxy. What stands further left in `X-Forwarded-For` anybody can have written.
 */
export function clientAddress(request: IncomingMessage, proxies: TrustedProxies): string | null {
  const isDirect = proxies === 0 || (typeof proxies === 'object' && proxies.length === 0);
  if (isDirect) return peerOf(request);
  const chain = chainOf(request).reverse();
  let client = chain[0] ?? null;
  for (const [index, hop] of chain.slice(1).entries()) {
    const isTrusted = typeof proxies === 'number' ? index < proxies : isWithin(proxies, client);
    if (!isTrusted || hop === null) break;
    client = hop;
  }
  return client;
}
