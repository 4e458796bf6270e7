import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

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
  const failed = new Promise<never>((_resolve, reject) => {
    input.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(`The file ${file} cannot be read (${error.code ?? error.message}).`));
    });
  });
  // Whoever stops reading before the end is not told of it.
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  try {
    for (let number = 1; ; number += 1) {
      const line = await Promise.race([lines.next(), failed]);
      if (line.done === true) break;
      const text = number === 1 ? line.value.replace(/^\uFEFF/, '') : line.value;
      if (text.trim() !== '') yield { number, text };
    }
    // The error of a file that cannot be opened may come after the end of the lines.
    if (input.errored !== null) await failed;
  } finally {
    input.destroy();
  }
}
