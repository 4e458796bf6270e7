import { open } from 'node:fs/promises';
import { officeType } from './compound-file.js';
import { textEncodingOf, type TextEncoding } from './text-encoding.js';

/** Each is at the start, and ends at the first possible place: no backtracking. */
const preambles = [/^\s+/, /^<\?xml[^>]{0,200}\?>/, /^<!--(?:[^-]|-(?!->))*-->/, /^<!DOCTYPE\s+svg[^>[]*>/i];

/** Nothing but an XML declaration, comments and a plain document type comes before the drawing. */
export function startsLikeSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '');
  for (;;) {
    const found = preambles.map((form) => form.exec(rest)?.[0]).find((match) => match !== undefined);
    if (found === undefined) return /^<svg[\s>/]/.test(rest);
    rest = rest.slice(found.length);
  }
}

/** Enough for every preamble that drawings have. */
const HEAD_BYTES = 4096;

/** Types that go by another name. */
const synonyms: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'image/x-icon': 'image/vnd.microsoft.icon',
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

interface DetectedType {
  readonly mimeType: string;
  /** Of a text. */
  readonly encoding?: TextEncoding;
}

async function textType(file: string, mimeType: string): Promise<DetectedType | undefined> {
  const encoding = await textEncodingOf(file);
  return encoding && { mimeType, encoding };
}

/** The type by content: `text/plain` for most texts without markup, undefined if unknown. */
export async function detectType(file: string): Promise<DetectedType | undefined> {
  const head = await headOf(file);
  if (startsLikeSvg(new TextDecoder('utf-8').decode(head))) return { mimeType: 'image/svg+xml' };
  // The mark of UTF-16. Otherwise it begins sound that nothing writes any more.
  if (/^(?:fffe|feff)/.test(head.toString('hex', 0, 2))) return textType(file, 'text/plain');
  const { fileTypeFromFile } = await import('file-type');
  const found = (await fileTypeFromFile(file))?.mime;
  if (found === undefined) return textType(file, 'text/plain');
  if (found.startsWith('text/')) return textType(file, found);
  const mimeType = found === 'application/x-cfb' ? await officeType(file) : (synonyms[found] ?? found);
  return { mimeType: mimeType ?? found };
}
