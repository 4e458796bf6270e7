import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What the usual failures mean, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
};

/** A line of a file, numbered from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a UTF-8 file that are not blank, one at a time.
 * @throws Error in one line where the file cannot be read
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
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new Error(`The file ${file} cannot be read: ${reasons[code] ?? code}.`);
  } finally {
    input.destroy();
  }
}
