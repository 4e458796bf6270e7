import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { orUndefined } from '../../infrastructure/promises.js';

export interface Asset {
  readonly content: Buffer;
  /** `Content-Type` and, if compressed, `Content-Encoding`. */
  readonly headers: Readonly<Record<string, string>>;
}

const compress = promisify(gzip);

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Every file of the pages for people. */
const names = [
  'page.css',
  'site.css',
  'elements.js',
  'reference.js',
  'request.js',
  'explorer.js',
  'frame.js',
  'schema-browser.js',
  'favicon.svg',
];

const fileOf = (name: string): string => path.join(import.meta.dirname, 'browser', name);

/** The script of sites that show drafts; its URL has no edition, because they name it. */
export const readPreviewScript = (): Promise<Buffer> => readFile(fileOf('preview.js'));

/** Hash of all files: part of every URL, so that responses can be cached for a year. */
function editionOf(): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(fileOf(name)));
  return hash.digest('hex').slice(0, 12);
}

interface LoadedFile {
  readonly plain: Buffer;
  readonly compressed: Buffer;
}

/** Files of a folder from a fixed list: a name cannot reach any other file. */
class Files {
  readonly #names: ReadonlySet<string>;
  readonly #loaded = new Map<string, Promise<LoadedFile>>();

  constructor(
    private readonly directory: string,
    listed: readonly string[],
  ) {
    this.#names = new Set(listed);
  }

  /** Undefined for files that are not in the list. */
  async find(name: string, acceptEncoding: string): Promise<Asset | undefined> {
    if (!this.#names.has(name)) return undefined;
    const type = types[path.extname(name)] ?? 'application/octet-stream';
    const { plain, compressed } = await this.#load(name);
    if (!/\bgzip\b/i.test(acceptEncoding)) return { content: plain, headers: { 'content-type': type } };
    return { content: compressed, headers: { 'content-type': type, 'content-encoding': 'gzip' } };
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

/** Files of the pages for people. */
export class Assets {
  /** URL prefix of every file. */
  readonly base: string;
  readonly #files = new Files(path.join(import.meta.dirname, 'browser'), names);

  constructor(prefix: string) {
    this.base = `${prefix}${editionOf()}/`;
  }

  /** Undefined for other addresses. */
  async find(address: string, acceptEncoding: string): Promise<Asset | undefined> {
    if (!address.startsWith(this.base)) return undefined;
    return this.#files.find(address.slice(this.base.length), acceptEncoding);
  }
}

/** The documentation, which a build writes beside the code; the sources alone have none. */
export async function openGuides(): Promise<Files> {
  const directory = path.join(import.meta.dirname, 'guides');
  return new Files(directory, (await orUndefined(readdir(directory))) ?? []);
}
