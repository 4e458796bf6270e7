import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../../../contracts/errors.js';

export interface KnownOrigins {
  readonly allowedOrigins: readonly string[];
  /** Public URL of the service; empty if unknown. */
  readonly baseUrl: string;
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** The owner of a name can point it here; an IP address or `localhost` cannot be rebound. */
function isFixed(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Rejects requests of foreign pages: an `Origin` must be the public URL of the service, an allowed origin or, if the
 * service is called by IP address or as `localhost`, that host. A `Host` equal to the origin proves nothing, because
 * a page whose name was rebound to this machine sends the same. Pages always send the header.
 * @throws AppError `origin_not_allowed`
 */
export function assertOrigin({ headers }: IncomingMessage, { allowedOrigins, baseUrl }: KnownOrigins): void {
  const { origin, host } = headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return;
  const page = urlOf(origin);
  if (page !== undefined && page.origin === urlOf(baseUrl)?.origin) return;
  if (page !== undefined && isFixed(page.hostname) && page.host === host?.toLowerCase()) return;
  throw new AppError('origin_not_allowed');
}
