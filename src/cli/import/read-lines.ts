import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

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

/** Numbered from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * Yields the lines of a UTF-8 file that are not blank.
 * @throws Error in one line when the file cannot be read
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const input = createReadStream(file, { encoding: 'utf8' });
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number += 1;
      const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
      if (text.trim() !== '') yield { number, text };
    }
  } catch (error) {
    throw new Error(`The file ${file} cannot be read: ${readFailure(error)}.`);
  } finally {
    input.destroy();
  }
}
