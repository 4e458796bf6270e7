import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../contracts/errors.js';

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Refuses browsers on foreign pages: an `Origin` must be the service's own host or an allowed one.
 * Requests without the header do not come from a page.
 * @throws AppError `origin_not_allowed`
 */
export function assertOrigin({ headers }: IncomingMessage, allowedOrigins: readonly string[]): void {
  const { origin, host } = headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return;
  if (host === undefined || hostOf(origin) !== host.toLowerCase()) throw new AppError('origin_not_allowed');
}
