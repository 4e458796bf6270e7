import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getStaticFile } from 'ruru/static';

export interface Asset {
  readonly content: Buffer;
  /** `Content-Type` and, if compressed, `Content-Encoding`. */
  readonly headers: Readonly<Record<string, string>>;
}

const packageFile = createRequire(import.meta.url);
const compress = promisify(gzip);

/** Every served file except those of GraphiQL. */
const files: Readonly<Record<string, { readonly from: string; readonly type: string }>> = {
  'page.css': { from: './browser/page.css', type: 'text/css; charset=utf-8' },
  'reference.js': { from: './browser/reference.js', type: 'text/javascript; charset=utf-8' },
  'explorer.js': { from: './browser/explorer.js', type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { from: 'swagger-ui-dist/swagger-ui.css', type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': {
    from: 'swagger-ui-dist/swagger-ui-bundle.js',
    type: 'text/javascript; charset=utf-8',
  },
  'favicon.png': { from: 'swagger-ui-dist/favicon-32x32.png', type: 'image/png' },
};

const isOwn = (from: string): boolean => from.startsWith('./');
const fileOf = (from: string): string =>
  isOwn(from) ? path.join(import.meta.dirname, from) : packageFile.resolve(from);

/** Hash of all files: part of every URL, so that responses can be cached for a year. */
function editionOf(): string {
  const hash = createHash('sha256');
  const ruru = path.join(path.dirname(packageFile.resolve('ruru/static')), '..', 'package.json');
  for (const file of [ruru, packageFile.resolve('swagger-ui-dist/package.json')])
    hash.update(readFileSync(file));
  for (const { from } of Object.values(files)) if (isOwn(from)) hash.update(readFileSync(fileOf(from)));
  return hash.digest('hex').slice(0, 12);
}

/** Files of the pages from a fixed list: a name cannot reach any other file. */
export class Assets {
  /** URL prefix of every file. */
  readonly base: string;
  readonly #loaded = new Map<string, Promise<{ plain: Buffer; compressed: Buffer; type: string }>>();

  constructor(prefix: string) {
    this.base = `${prefix}${editionOf()}/`;
  }

  /** Undefined for files that are not in the list. */
  async find(address: string, acceptEncoding: string): Promise<Asset | undefined> {
    if (!address.startsWith(this.base)) return undefined;
    const name = address.slice(this.base.length);
    if (name.startsWith('ruru/')) {
      const asked = { staticPath: 'ruru/', urlPath: name, acceptEncoding, disallowDevAssets: true };
      return (await getStaticFile(asked)) ?? undefined;
    }
    if (!Object.hasOwn(files, name)) return undefined;
    const { plain, compressed, type } = await this.#load(name);
    if (!/\bgzip\b/i.test(acceptEncoding)) return { content: plain, headers: { 'content-type': type } };
    return { content: compressed, headers: { 'content-type': type, 'content-encoding': 'gzip' } };
  }

  /** Read and compressed once. */
  #load(name: string): Promise<{ plain: Buffer; compressed: Buffer; type: string }> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const { from = '', type = '' } = files[name] ?? {};
    const loading = readFile(fileOf(from)).then(async (plain) => ({
      plain,
      compressed: await compress(plain),
      type,
    }));
    this.#loaded.set(name, loading);
    return loading;
  }
}
