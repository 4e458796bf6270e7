import type { IncomingMessage } from 'node:http';
import { isWithin } from '../../access/networks.js';
import { peerOf, type TrustedProxies } from './client-address.js';

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
