import { z } from 'zod';
import { isUtf8 } from 'node:buffer';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { limits } from '../../../contracts/limits.js';
import { EntrySlug, LocaleCode } from '../../../contracts/primitives.js';

const Key = z.string().min(1).max(limits.textLength);

/** `file` is in the folder `images` beside the corpus. */
const PagePicture = z.object({
  src: z.string(),
  file: z.string().regex(/^(?!\.)[^/\\\u0000]{1,200}$/, 'must be the name of a file'),
  alt: z.string().max(limits.mediaAltTextLength),
});

const PageLine = z.object({
  key: Key,
  parent: Key.nullable(),
  position: z.int().min(0),
  locale: LocaleCode,
  slug: EntrySlug,
  title: z.string().min(1).max(limits.textLength),
  html: z.string(),
  links: z.array(z.string()),
  images: z.array(PagePicture).default([]),
});
/** One page in one locale: a line of the corpus. */
export type PageLine = z.infer<typeof PageLine>;

export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}

function describe({ path, code, message }: z.core.$ZodIssue, page: object): string {
  const [key] = path;
  if (key === undefined) return 'is not an object';
  const name = path.map((step) => String(step)).join('.');
  if (code === 'invalid_type' && !Object.hasOwn(page, key)) return `lacks the key ${name}`;
  return `${name}: ${message}`;
}

/**
 * @throws LineProblem naming every problem of the line
 */
export function parsePageLine(text: string): PageLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LineProblem('is not JSON');
  }
  const result = PageLine.safeParse(value);
  if (result.success) return result.data;
  throw new LineProblem(result.error.issues.map((issue) => describe(issue, value as object)).join('; '));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

/** Why a file cannot be read. */
export function readFailure(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}

const unreadable = (file: string, error: unknown): Error =>
  new Error(`The file ${file} cannot be read: ${readFailure(error)}.`);

/** Bytes of a line in its file. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

export interface Line extends LinePlace {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Why there is no text: the line has too many bytes, or they are not UTF-8. */
  readonly fault?: 'length' | 'encoding';
}

const LINE_FEED = 10;

/** Without white space around it; undefined for bytes that are not UTF-8. */
const textOf = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) ? bytes.toString('utf8').trim() : undefined;

interface LineBytes extends LinePlace {
  /** Undefined if there are too many. */
  readonly bytes: Buffer | undefined;
}

/** Lines with the position of their first byte. @param maximum bytes of a line that are kept */
async function* splitLines(chunks: AsyncIterable<Buffer>, maximum: number): AsyncGenerator<LineBytes> {
  let parts: Buffer[] = [];
  let length = 0;
  let start = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    parts = length > maximum ? [] : [...parts, part];
  };
  const line = (): LineBytes => ({
    start,
    length,
    bytes: length > maximum ? undefined : Buffer.concat(parts),
  });
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield line();
      start += length + 1;
      [parts, length] = [[], 0];
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  yield line();
}

/**
 * Yields the lines of a UTF-8 file that are not blank.
 * @param maximum bytes of a line; the text of a longer one is not read
 * @throws Error in one line when the file cannot be read
 */
export async function* readLines(file: string, maximum = Infinity): AsyncGenerator<Line> {
  const input = createReadStream(file);
  let number = 0;
  try {
    for await (const { start, length, bytes } of splitLines(input, maximum)) {
      number += 1;
      const text = bytes && textOf(bytes);
      const fault = bytes === undefined ? 'length' : 'encoding';
      if (text === undefined) yield { number, text: '', start, length, fault };
      else if (text !== '') yield { number, text, start, length };
    }
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    input.destroy();
  }
}

/** Reads single lines, or other parts, of a file again. */
export class LineReader {
  /** Of the longest line until now: one buffer for each line is freed too late. */
  #buffer = Buffer.alloc(0);

  private constructor(
    private readonly file: string,
    private readonly descriptor: number,
  ) {}

  /** @throws Error in one line when the file cannot be read */
  static open(file: string): LineReader {
    try {
      return new LineReader(file, openSync(file, 'r'));
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  /**
   * A line is read faster than a thread of the pool starts to read it.
   * @throws Error in one line if it is not UTF-8
   */
  read({ start, length }: LinePlace): string {
    if (length > this.#buffer.length) this.#buffer = Buffer.alloc(length);
    const read = readSync(this.descriptor, this.#buffer, 0, length, start);
    const text = textOf(this.#buffer.subarray(0, read));
    if (text === undefined)
      throw new Error(
        `The file ${this.file} has bytes that are not UTF-8 after byte ${String(start)}. Export it again.`,
      );
    return text;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
