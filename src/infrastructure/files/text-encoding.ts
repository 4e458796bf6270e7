import { open } from 'node:fs/promises';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const MAXIMUM_TEXT_BYTES = 10 * 1024 * 1024;

/** Control characters other than tab, line feed, form feed and carriage return are no text; nor are those of C1 in a single-byte encoding. */
const NO_TEXT = /[\u0000-\u0008\u000b\u000e-\u001f]/;
const NO_SINGLE_BYTE_TEXT = /[\u0000-\u0008\u000b\u000e-\u001f\u0080-\u009f]/;
/** What a browser could take for a page. */
const MARKUP = /<\s*(?:!doctype|html|head|body|script|iframe|svg|\?xml|\?php)/i;

const isDecodingFailure = (error: unknown): boolean => (error as Error).name === 'TypeError';

/** Pieces of the text. @throws TypeError if it is not in this encoding */
export async function* decodedText(file: string, encoding: TextEncoding): AsyncGenerator<string> {
  const handle = await open(file, 'r');
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for await (const chunk of handle.createReadStream({ autoClose: false }))
      yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } finally {
    await handle.close();
  }
}

/** Reads all of it. */
async function isText(file: string, encoding: TextEncoding): Promise<boolean> {
  const wrong = encoding === 'windows-1252' ? NO_SINGLE_BYTE_TEXT : NO_TEXT;
  let isStart = true;
  try {
    for await (const text of decodedText(file, encoding)) {
      if (wrong.test(text) || (isStart && MARKUP.test(text))) return false;
      isStart = isStart && text === '';
    }
    return true;
  } catch (error) {
    if (isDecodingFailure(error)) return false;
    throw error;
  }
}

/** By its mark, else UTF-8, else Windows-1252, of which Latin-1 is the part that texts use. */
async function candidates(file: string): Promise<readonly TextEncoding[]> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).size > MAXIMUM_TEXT_BYTES) return [];
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const mark = buffer.toString('hex', 0, bytesRead);
    if (mark === 'fffe') return ['utf-16le'];
    return mark === 'feff' ? ['utf-16be'] : ['utf-8', 'windows-1252'];
  } finally {
    await handle.close();
  }
}

/** How a text of at most 10 MiB without markup is encoded; undefined if the file is none. */
export async function textEncodingOf(file: string): Promise<TextEncoding | undefined> {
  for (const encoding of await candidates(file)) if (await isText(file, encoding)) return encoding;
  return undefined;
}
