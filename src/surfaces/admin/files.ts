import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { HeaderList } from '../http/answer.js';

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
export class AdminFiles {
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
