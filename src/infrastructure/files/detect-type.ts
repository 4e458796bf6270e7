import { open } from 'node:fs/promises';
import { startsLikeSvg } from './starts-like-svg.js';

/** Enough for every preamble that drawings have. */
const HEAD_BYTES = 4096;
const MAXIMUM_TEXT_BYTES = 10 * 1024 * 1024;

/** Types that go by another name. */
const synonyms: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'audio/opus': 'audio/ogg',
  'video/x-m4v': 'video/mp4',
};

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(bytes, 0, HEAD_BYTES, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Control characters other than tab, line feed, form feed and carriage return are no text. */
const NO_TEXT = /[\u0000-\u0008\u000b\u000e-\u001f]/;
/** What a browser could take for a page. */
const MARKUP = /<\s*(?:!doctype|html|head|body|script|iframe|svg|\?xml|\?php)/i;

/** Reads all of it. */
async function isPlainText(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).size > MAXIMUM_TEXT_BYTES) return false;
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let isStart = true;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      const text = decoder.decode(chunk as Buffer, { stream: true });
      if (NO_TEXT.test(text) || (isStart && MARKUP.test(text))) return false;
      isStart = false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === 'TypeError') return false;
    throw error;
  } finally {
    await handle.close();
  }
}

/** The type by content: `text/plain` for any text without markup, undefined if unknown. */
export async function detectType(file: string): Promise<string | undefined> {
  const head = await headOf(file);
  if (startsLikeSvg(new TextDecoder('utf-8').decode(head))) return 'image/svg+xml';
  const { fileTypeFromFile } = await import('file-type');
  const found = (await fileTypeFromFile(file))?.mime;
  if (found !== undefined) return synonyms[found] ?? found;
  return (await isPlainText(file)) ? 'text/plain' : undefined;
}
