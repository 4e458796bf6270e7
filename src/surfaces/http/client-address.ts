import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from 'proxy-addr';
import { isWithin, plainAddress } from '../../access/address-rules.js';

/** Number of trusted proxies, or their networks. */
export type TrustedProxies = number | readonly string[];

const peers = new WeakMap<Socket, string | null>();

/** Parsed once per connection. */
function peerOf({ socket }: IncomingMessage): string | null {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const address = plainAddress(socket.remoteAddress);
  peers.set(socket, address);
  return address;
}

/** Null if invalid. Some proxies add a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressOf(hop: string): string | null {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1];
  return plainAddress(bracketed ?? hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1'));
}

/**
 * The nearest hop that is not a trusted proxy. Hops beyond it in `X-Forwarded-For` can be forged; an invalid one
 * ends the chain.
 */
export function clientAddress(request: IncomingMessage, proxies: TrustedProxies): string | null {
  const isDirect = proxies === 0 || (typeof proxies === 'object' && proxies.length === 0);
  if (isDirect) return peerOf(request);
  const isTrusted = (hop: string, index: number): boolean =>
    typeof proxies === 'number' ? index < proxies : isWithin(proxies, addressOf(hop));
  let client = peerOf(request);
  for (const hop of proxyAddress.all(request, isTrusted).slice(1)) {
    const address = addressOf(hop);
    if (address === null) break;
    client = address;
  }
  return client;
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

const isBehindProxy = (request: IncomingMessage, proxies: TrustedProxies): boolean =>
  typeof proxies === 'number' ? proxies > 0 : isWithin(proxies, peerOf(request));

/**
 * Scheme and host that the request names. `X-Forwarded-Proto` counts from a trusted proxy only; `X-Forwarded-Host`
 * never does, because many proxies pass on the caller's.
 */
export function requestOrigin(request: IncomingMessage, proxies: TrustedProxies): string | undefined {
  const { host = '', 'x-forwarded-proto': forwarded } = request.headers;
  if (!HOST.test(host)) return undefined;
  const isSecure = forwarded === 'https' && isBehindProxy(request, proxies);
  return `${isSecure ? 'https' : 'http'}://${host.toLowerCase()}`;
}
