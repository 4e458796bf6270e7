import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../../../contracts/errors.js';

/** Origins of pages that may call. */
export interface KnownOrigins {
  readonly allowedOrigins: readonly string[];
  /** Where clients reach the service; empty where that is not known. */
  readonly baseUrl: string;
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** A name can be made to lead here by whoever owns it; an address, or this machine's own name, cannot. */
function isFixed(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Refuses browsers on foreign pages: an `Origin` must be the service's own public address, an allowed one,
 * or, where the service is called by an address or as `localhost`, that very host. A `Host` that merely
 * equals the origin proves nothing: that is what a page whose name was rebound to this machine sends.
 * Requests without the header do not come from a page.
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
