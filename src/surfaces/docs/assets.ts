import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export interface Asset {
  readonly content: Buffer;
  /** `Content-Type` and, if compressed, `Content-Encoding`. */
  readonly headers: Readonly<Record<string, string>>;
}

const compress = promisify(gzip);

const script = 'text/javascript; charset=utf-8';

/** Every served file with its type. */
const files: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'site.css': 'text/css; charset=utf-8',
  'elements.js': script,
  'reference.js': script,
  'request.js': script,
  'explorer.js': script,
  'frame.js': script,
  'schema-browser.js': script,
  'favicon.svg': 'image/svg+xml',
};

const fileOf = (name: string): string => path.join(import.meta.dirname, 'browser', name);

/** The script of sites that show drafts; its URL has no edition, because they name it. */
export const readPreviewScript = (): Promise<Buffer> => readFile(fileOf('preview.js'));

/** Hash of all files: part of every URL, so that responses can be cached for a year. */
function editionOf(): string {
  const hash = createHash('sha256');
  for (const name of Object.keys(files)) hash.update(readFileSync(fileOf(name)));
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
    if (!Object.hasOwn(files, name)) return undefined;
    const { plain, compressed, type } = await this.#load(name);
    if (!/\bgzip\b/i.test(acceptEncoding)) return { content: plain, headers: { 'content-type': type } };
    return { content: compressed, headers: { 'content-type': type, 'content-encoding': 'gzip' } };
  }

  /** Read and compressed once. */
  #load(name: string): Promise<{ plain: Buffer; compressed: Buffer; type: string }> {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const type = files[name] ?? '';
    const loading = readFile(fileOf(name)).then(async (plain) => ({
      plain,
      compressed: await compress(plain),
      type,
    }));
    this.#loaded.set(name, loading);
    return loading;
  }
}
