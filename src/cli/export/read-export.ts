import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { openFolder } from '../import/archives.js';
import { readLines, type Line, type LinePlace } from '../import/read-lines.js';
import {
  FORMAT_VERSION,
  isNameOfFile,
  LINES_PER_MARK,
  lineShapes,
  LONGEST_LINE,
  Manifest,
  Version,
  type FileEntry,
  type LineFile,
  type LineOf,
} from './export-format.js';

const LARGEST_MANIFEST = 64 * 1024 * 1024;
const LINE_FEED = 10;

/** A line that passed its checks, and where it is. */
export interface ExportLine<T> extends Line {
  readonly value: T;
}

const isOfExport = (name: string): boolean => name === 'manifest.json' || isNameOfFile(name);

/** @throws Error with one line for people */
async function readManifest(folder: string, name: string): Promise<Manifest> {
  const file = path.join(folder, 'manifest.json');
  const found = await lstat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > LARGEST_MANIFEST)
    throw new Error(`${name} is no export: it has no manifest.json. An export that was stopped has none.`);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${name}: manifest.json is not JSON.`, { cause: error });
  }
  const version = Version.safeParse(content);
  if (!version.success) throw new Error(`${name}: manifest.json is not that of an export.`);
  if (version.data.version > FORMAT_VERSION)
    throw new Error(
      `${name} has version ${String(version.data.version)} of the format, and this command reads version ${String(FORMAT_VERSION)}. Use a newer one.`,
    );
  const manifest = Manifest.safeParse(content);
  if (!manifest.success) throw new Error(`${name}: manifest.json: ${problemOf(manifest.error)}`);
  return manifest.data;
}

const problemOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 3)
    .map(({ path: keys, message }) => (keys.length === 0 ? message : `${keys.join('.')}: ${message}`))
    .join('; ');

const linesOf = (mark: number, lines: number): string => {
  const [first, last] = [mark * LINES_PER_MARK + 1, Math.min((mark + 1) * LINES_PER_MARK, lines)];
  return first === last ? `line ${String(first)}` : `lines ${String(first)} to ${String(last)}`;
};

/** Compares the lines of a file with the marks of its manifest, as bytes come. */
class MarkCheck {
  #line = 0;
  #length = 0;
  #mark = createHash('sha256');

  constructor(private readonly entry: FileEntry) {}

  take(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end + 1);
      this.#mark.update(part);
      this.#length += part.length;
      if (this.#length > LONGEST_LINE)
        throw new Error(`${this.entry.file}, line ${String(this.#line + 1)}: it is too long.`);
      from += part.length;
      if (end >= 0) this.#endLine();
    }
  }

  #endLine(): void {
    this.#line += 1;
    this.#length = 0;
    if (this.#line % LINES_PER_MARK === 0 || this.#line === this.entry.lines) this.#compare();
  }

  #compare(): void {
    const { file, lines = 0, marks = [] } = this.entry;
    const mark = Math.ceil(this.#line / LINES_PER_MARK) - 1;
    const found = this.#mark.digest('hex').slice(0, 16);
    this.#mark = createHash('sha256');
    if (marks[mark] !== found)
      throw new Error(`${file}, ${linesOf(mark, Math.max(lines, this.#line))}: changed since the export.`);
  }

  end(): void {
    const { file, lines = 0 } = this.entry;
    if (this.#line < lines || this.#length > 0)
      throw new Error(
        `${file}, line ${String(this.#line + 1)}: the file ends here; it had ${String(lines)} lines.`,
      );
  }
}

/** @throws Error with one line for people */
async function verify(folder: string, entry: FileEntry): Promise<void> {
  const { file, bytes, sha256, lines } = entry;
  const place = path.join(folder, file);
  const found = await lstat(place).catch(() => undefined);
  if (!found?.isFile()) throw new Error(`${file} is missing.`);
  const hash = createHash('sha256');
  const check = lines === undefined ? undefined : new MarkCheck(entry);
  for await (const chunk of createReadStream(place)) {
    hash.update(chunk as Buffer);
    check?.take(chunk as Buffer);
  }
  check?.end();
  if (found.size !== bytes || hash.digest('hex') !== sha256)
    throw new Error(`${file} has changed since the export.`);
}

/** @throws Error with one line for people */
async function verifyAll(folder: string, { files }: Manifest): Promise<void> {
  const names = files.map(({ file }) => file);
  if (new Set(names).size < names.length) throw new Error('manifest.json names a file twice.');
  for (const entry of files) await verify(folder, entry);
  const known = new Set(['manifest.json', ...names]);
  const there = [
    ...(await readdir(folder)).filter((name) => name !== 'media'),
    ...(await readdir(path.join(folder, 'media')).catch(() => [])).map((name) => `media/${name}`),
  ];
  const stranger = there.find((name) => isNameOfFile(name) && !known.has(name));
  if (stranger !== undefined) throw new Error(`${stranger} is not named in manifest.json.`);
}

/** An export whose files are those of its manifest. */
export class ExportReader {
  private constructor(
    private readonly place: { readonly name: string; readonly folder: string },
    readonly manifest: Manifest,
    readonly close: () => Promise<void>,
  ) {}

  /**
   * Reads every file once to verify it. An archive is unpacked, until {@link close}.
   * @throws Error with one line for people
   */
  static async open(place: string): Promise<ExportReader> {
    const { folder, remove } = await openFolder(place, { isExpected: isOfExport });
    try {
      const manifest = await readManifest(folder, place);
      await verifyAll(folder, manifest).catch((error: unknown) => {
        throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
      });
      return new ExportReader({ name: place, folder }, manifest, remove);
    } catch (error) {
      await remove();
      throw error;
    }
  }

  pathOf(file: string): string {
    return path.join(this.place.folder, file);
  }

  /** The lines of a file; none if the export has no such file. @throws Error with one line for people */
  async *lines<F extends LineFile>(file: F): AsyncGenerator<ExportLine<LineOf<F>>> {
    if (!this.manifest.files.some((entry) => entry.file === file)) return;
    for await (const line of readLines(this.pathOf(file))) yield { ...line, value: this.parse(file, line) };
  }

  /** @throws Error with one line for people */
  parse<F extends LineFile>(file: F, { number, text, fault }: Omit<Line, keyof LinePlace>): LineOf<F> {
    const place = `${this.place.name}: ${file}, line ${String(number)}`;
    if (fault !== undefined) throw new Error(`${place}: is not UTF-8.`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new Error(`${place}: is not JSON.`, { cause: error });
    }
    const parsed = lineShapes[file].safeParse(value);
    if (!parsed.success) throw new Error(`${place}: ${problemOf(parsed.error)}`);
    return parsed.data as LineOf<F>;
  }
}
