import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { packFiles } from '../import/archives.js';
import {
  LINES_PER_MARK,
  type FileEntry,
  type LineFile,
  type LineOf,
  type Manifest,
} from './export-format.js';

const BUFFERED_CHARACTERS = 262_144;
const MARK_LENGTH = 16;

/** A file of lines that is being written, with the hashes of its manifest. */
class LineWriter {
  readonly #hash: Hash = createHash('sha256');
  readonly #marks: string[] = [];
  #mark = createHash('sha256');
  #buffer: string[] = [];
  #buffered = 0;
  #lines = 0;
  #bytes = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async create(file: string): Promise<LineWriter> {
    return new LineWriter(await open(file, 'wx'));
  }

  async add(value: object): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    this.#buffer.push(line);
    this.#buffered += line.length;
    this.#lines += 1;
    this.#mark.update(line);
    if (this.#lines % LINES_PER_MARK === 0) this.#endMark();
    if (this.#buffered >= BUFFERED_CHARACTERS) await this.#flush();
  }

  #endMark(): void {
    this.#marks.push(this.#mark.digest('hex').slice(0, MARK_LENGTH));
    this.#mark = createHash('sha256');
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#buffer.join(''));
    [this.#buffer, this.#buffered] = [[], 0];
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.write(bytes);
  }

  async close(file: LineFile): Promise<FileEntry> {
    await this.#flush();
    await this.handle.close();
    if (this.#lines % LINES_PER_MARK > 0) this.#endMark();
    const sha256 = this.#hash.digest('hex');
    return { file, bytes: this.#bytes, sha256, lines: this.#lines, marks: this.#marks };
  }
}

/** Whether a folder has something in it, or a file has the name. */
async function isTaken(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found !== undefined && (!found.isDirectory() || (await readdir(place)).length > 0);
}

/** The folder of an export that is being written. It has its manifest at the end only. */
export class ExportFolder {
  readonly #media = new Map<string, FileEntry>();
  readonly #files: FileEntry[] = [];

  private constructor(readonly folder: string) {}

  /** @throws Error with one line for people if something is there */
  static async create(folder: string): Promise<ExportFolder> {
    if (await isTaken(folder)) throw new Error(`${folder} is not empty. Name another folder.`);
    await mkdir(path.join(folder, 'media'), { recursive: true });
    return new ExportFolder(folder);
  }

  /** Writes a file of lines. @returns their number */
  async write<F extends LineFile>(file: F, lines: AsyncIterable<LineOf<F>>): Promise<number> {
    const writer = await LineWriter.create(path.join(this.folder, file));
    let count = 0;
    for await (const line of lines) {
      await writer.add(line);
      count += 1;
    }
    this.#files.push(await writer.close(file));
    return count;
  }

  /**
   * Stores a file of media under its hash, once.
   * @throws Error if it has another hash
   */
  async store(sha256: string, read: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
    if (this.#media.has(sha256)) return;
    const file = `media/${sha256}`;
    const place = path.join(this.folder, file);
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    // Another asset with the same file may be stored at the same time.
    const draft = `${place}.${Math.random().toString(36).slice(2)}`;
    await pipeline(Readable.from(counted(await read())), createWriteStream(draft));
    if (hash.digest('hex') !== sha256) {
      await rm(draft);
      throw new Error('the file that was sent has another checksum');
    }
    await rename(draft, place);
    this.#media.set(sha256, { file, bytes, sha256 });
  }

  async finish(manifest: Omit<Manifest, 'files'>): Promise<void> {
    const files = [...this.#files, ...[...this.#media.values()].sort((a, b) => (a.file < b.file ? -1 : 1))];
    const text = JSON.stringify({ ...manifest, files } satisfies Manifest, null, 1);
    await writeFile(path.join(this.folder, 'manifest.json'), `${text}\n`);
    this.#files.splice(0, this.#files.length, ...files);
  }

  /** Makes an archive of the finished folder, and removes the folder. */
  async pack(archive: string): Promise<void> {
    const names = ['manifest.json', ...this.#files.map(({ file }) => file)];
    const draft = `${archive}.part`;
    await packFiles(this.folder, names, draft);
    await rename(draft, archive);
    await rm(this.folder, { recursive: true });
  }
}

/** Where an export is written: a folder, or a folder beside the archive that becomes it. */
export async function openExport(
  out: string,
): Promise<{ folder: ExportFolder; complete: () => Promise<void> }> {
  if (!/\.(?:tar\.gz|tgz)$/.test(out))
    return { folder: await ExportFolder.create(out), complete: () => Promise.resolve() };
  const isThere = await access(out).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${out} exists. Name another file.`);
  const folder = await ExportFolder.create(`${out}.files`);
  return { folder, complete: () => folder.pack(out) };
}
