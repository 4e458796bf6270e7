import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { AppError } from '../../../contracts/errors.js';
import { lazy } from '../../infrastructure/lazy.js';
import type { HeaderList, HttpAnswer } from '../http/answer.js';
import { isRead, type Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { pageHeaders } from '../http/shared-headers.js';

const compress = promisify(gzip);

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface LoadedFile {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

interface SentFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly encoding: HeaderList;
}

/** The files of a build by name. A request can reach no other file, because names are listed once. */
class AdminFiles {
  readonly #loaded = new Map<string, Promise<LoadedFile>>();

  private constructor(
    private readonly directory: string,
    private readonly names: ReadonlySet<string>,
  ) {}

  static async open(directory: string): Promise<AdminFiles> {
    const found = await readdir(directory, { recursive: true, withFileTypes: true });
    const names = found
      .filter((file) => file.isFile() && path.extname(file.name) in mediaTypes)
      .map((file) => path.relative(directory, path.join(file.parentPath, file.name)));
    return new AdminFiles(directory, new Set(names));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  async read(name: string, acceptEncoding: string): Promise<SentFile> {
    const { plain, compressed } = await this.#load(name);
    const mediaType = mediaTypes[path.extname(name)] ?? '';
    if (!/\bgzip\b/i.test(acceptEncoding)) return { bytes: plain, mediaType, encoding: [] };
    return { bytes: compressed, mediaType, encoding: ['Content-Encoding', 'gzip'] };
  }

  /** Read and compressed once. */
  #load(name: string): Promise<LoadedFile> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const loading = readFile(path.join(this.directory, name)).then(async (plain) => ({
      plain,
      compressed: await compress(plain),
    }));
    this.#loaded.set(name, loading);
    return loading;
  }
}

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
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The admin app: its files, and its page at every other address below `/admin`. */
export class AdminSurface {
  readonly #files = lazy(() => AdminFiles.open(this.options.directory));
  readonly #policy: string;

  constructor(private readonly options: AdminOptions) {
    this.#policy = policyOf(options);
  }

  /** @throws AppError 404 `not_found` */
  async answer(exchange: Exchange, path: string): Promise<HttpAnswer> {
    const isAsset = path.startsWith(ASSETS);
    const route = isAsset ? ASSETS : ADMIN_PATH;
    Object.assign(exchange.record, { surface: 'service', operation: route, route });
    const { method, headers } = exchange.request;
    if (!isRead(method)) return methodNotAllowed(exchange, ['GET']);
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
