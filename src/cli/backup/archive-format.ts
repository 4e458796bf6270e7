import { z } from 'zod';
import { createHash, randomBytes, type Hash } from 'node:crypto';
import type { MediaStorage } from '../../infrastructure/storage/media-storage.js';
import { StagedFile } from '../../infrastructure/storage/staged-file.js';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/**
 * A backup is gzip of lines: a header, then for each table its name and columns as JSON, its rows in the text format
 * of COPY and a line `\.`, for each file its key and size as JSON and its bytes, and at last the state of the sequences
 * with the number of rows and files and a hash of everything before. A later section of another kind has a line of
 * JSON with another first key.
 */
export const FORMAT = 'headwater-backup';
export const FORMAT_VERSION = 2;
/** 1 has no files. */
export const READABLE_VERSIONS: readonly number[] = [1, 2];
export const END_OF_ROWS = '\\.\n';

export const Header = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  release: z.string(),
  createdAt: z.iso.datetime(),
  /** Names of the applied migrations: the schema of the rows. */
  migrations: z.array(z.string()),
});
export type Header = z.infer<typeof Header>;

export const TableSection = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });

export const FileSection = z.object({ file: z.string(), size: z.int().min(0) });
export type FileSection = z.infer<typeof FileSection>;

export const Trailer = z.object({
  sequences: z.record(z.string(), z.object({ last: z.string().regex(/^\d{1,19}$/), isCalled: z.boolean() })),
  /** By table. */
  rows: z.record(z.string(), z.number().int()),
  /** Absent if the files are kept elsewhere. */
  files: z
    .object({
      count: z.int(),
      bytes: z.int(),
      /** Keys of files that were missing or damaged when the backup was written. */
      lacking: z.array(z.string()),
    })
    .optional(),
  /** Of every byte before this line, uncompressed. */
  sha256: z.string(),
});
export type Trailer = z.infer<typeof Trailer>;

/** The name of a backup while it is written. */
export const unfinishedName = (file: string): string => `${file}.${randomBytes(4).toString('hex')}.partial`;

export const isUnfinished = (file: string): boolean => /\.[0-9a-f]{8}\.partial$/.test(file);

export const toLine = (content: object): string => `${JSON.stringify(content)}\n`;

export interface FileCounts {
  files: number;
  bytes: number;
  /** Keys of files that are missing or damaged in the storage. */
  readonly lacking: string[];
}

/** The key of a stored file ends with the hash of its content. */
const hashIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** A section for every file: what rows name, as the storage has it now. */
export async function* fileSections(
  storage: MediaStorage,
  keys: AsyncIterable<string>,
  counts: FileCounts,
): AsyncGenerator<string | Buffer> {
  for await (const key of keys) {
    const found = await storage.read(key);
    if (found === undefined) {
      counts.lacking.push(key);
      continue;
    }
    yield toLine({ file: key, size: found.size } satisfies FileSection);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of found.stream) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (bytes !== found.size) throw new Error(`The file ${key} changed while it was read.`);
    if (hash.digest('hex') !== hashIn(key)) counts.lacking.push(key);
    counts.files += 1;
    counts.bytes += bytes;
  }
}

/** Stores the file of a section, unless its bytes are not those of its key. */
export async function storeFile(
  storage: MediaStorage,
  { file: key }: FileSection,
  bytes: AsyncIterable<Buffer>,
): Promise<boolean> {
  const staged = await StagedFile.create(storage.staging);
  try {
    const hash = createHash('sha256');
    for await (const chunk of bytes) {
      hash.update(chunk);
      await staged.write(chunk);
    }
    await staged.close();
    if (hash.digest('hex') !== hashIn(key)) return false;
    await storage.put(key, { file: staged.path });
    return true;
  } finally {
    await staged.discard();
  }
}

const LONGEST_LINE = 1_048_576;
const NEWLINE = 0x0a;
/** Ends rows that are not empty; after the line of a section, `\.` follows at once. */
const rowsEnd = Buffer.from('\n\\.\n');

/** Reads lines of JSON, rows of tables and files in turn, and hashes what it has read. */
export class ArchiveReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash: Hash = createHash('sha256');
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  static open(file: string): ArchiveReader {
    const source = createReadStream(file);
    const lines = createGunzip();
    source.on('error', (error) => lines.destroy(error));
    return new ArchiveReader(source.pipe(lines));
  }

  /**
   * The next line and the hash of everything before it.
   * @throws Error when the file ends
   */
  async line(): Promise<{ readonly text: string; readonly hashBefore: string }> {
    let end = this.#buffer.indexOf(NEWLINE);
    while (end === -1) {
      if (this.#buffer.length > LONGEST_LINE) throw new Error('A line of the backup is too long.');
      if (!(await this.#fill())) throw new Error('The backup is incomplete: it ends too early.');
      end = this.#buffer.indexOf(NEWLINE);
    }
    const hashBefore = this.#hash.copy().digest('hex');
    return { text: this.#take(end + 1).toString('utf8'), hashBefore };
  }

  /** The rows up to the line that ends them, with that line consumed. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#buffer.length < 3) await this.#demand();
    if (this.#buffer.subarray(0, 3).equals(rowsEnd.subarray(1))) {
      this.#take(3);
      return;
    }
    for (;;) {
      const end = this.#buffer.indexOf(rowsEnd);
      if (end !== -1) {
        yield this.#take(end + 1);
        this.#take(rowsEnd.length - 1);
        return;
      }
      // The end may be cut between two chunks.
      const safe = this.#buffer.length - (rowsEnd.length - 1);
      if (safe > 0) yield this.#take(safe);
      await this.#demand();
    }
  }

  /** The next `length` bytes. */
  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#buffer.length === 0) await this.#demand();
      const taken = this.#take(Math.min(left, this.#buffer.length));
      left -= taken.length;
      yield taken;
    }
  }

  /** @throws Error when something follows */
  async assertEnd(): Promise<void> {
    if (this.#buffer.length > 0 || (await this.#fill())) throw new Error('The backup goes on after its end.');
  }

  #take(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    this.#hash.update(taken);
    return taken;
  }

  async #demand(): Promise<void> {
    if (!(await this.#fill())) throw new Error('The backup is incomplete: it ends too early.');
  }

  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#buffer = this.#buffer.length === 0 ? next.value : Buffer.concat([this.#buffer, next.value]);
    return true;
  }
}
