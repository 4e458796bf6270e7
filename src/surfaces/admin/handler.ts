import { AppError } from '../../../contracts/errors.js';
import { lazy } from '../../infrastructure/lazy.js';
import type { Answer, HeaderList } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { AdminFiles } from './files.js';

export const ADMIN_PATH = '/admin';

/** Their names have a hash of their content. */
const ASSETS = '/admin/assets/';
const YEAR = 'public, max-age=31536000, immutable';

export interface AdminOptions {
  /** A build of `src/admin`. */
  readonly directory: string;
  /** Other origins that files are uploaded to: a bucket. */
  readonly uploadOrigins: readonly string[];
}

/** Only own files run, and only own addresses are called. The page sets styles through the DOM, never inline. */
function policyOf({ uploadOrigins }: AdminOptions): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...uploadOrigins].join(' '),
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The shared headers without those for data that every origin may read. */
function pageHeaders(shared: HeaderList, policy: string): HeaderList {
  const headers = shared.filter((_, index) => !shared[index - (index % 2)]?.startsWith('Access-Control-'));
  headers[headers.indexOf('Content-Security-Policy') + 1] = policy;
  headers[headers.indexOf('Cross-Origin-Resource-Policy') + 1] = 'same-origin';
  return headers;
}

/** The admin app: its files, and its page at every other address below `/admin`. */
export class AdminSurface {
  readonly #files = lazy(() => AdminFiles.open(this.options.directory));
  readonly #policy: string;

  constructor(private readonly options: AdminOptions) {
    this.#policy = policyOf(options);
  }

  /** @throws AppError 404 `not_found` */
  async answer(exchange: Exchange, path: string): Promise<Answer> {
    const isAsset = path.startsWith(ASSETS);
    const route = isAsset ? ASSETS : ADMIN_PATH;
    Object.assign(exchange.record, { surface: 'service', operation: route, route });
    const { method, headers } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(exchange, ['GET']);
    const files = await this.#files.get();
    const name = path.slice(ADMIN_PATH.length + 1);
    const known = files.has(name) ? name : undefined;
    if (isAsset && known === undefined) throw new AppError('not_found');
    const { bytes, mediaType, encoding } = await files.read(
      known ?? 'index.html',
      String(headers['accept-encoding'] ?? ''),
    );
    return {
      status: 200,
      isPublic: true,
      shared: pageHeaders(exchange.sharedHeaders, this.#policy),
      headers: ['Cache-Control', isAsset ? YEAR : 'no-cache', 'Vary', 'Accept-Encoding', ...encoding],
      body: { bytes, mediaType },
    };
  }
}
