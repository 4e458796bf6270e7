import { DamagedFile, FileWindow } from './file-window.js';
import { open } from 'node:fs/promises';
import { textEncodingOf, type TextEncoding } from './text-encoding.js';

/** Real documents have far fewer. */
const MAXIMUM_DIRECTORY_SECTORS = 1000;
const ENTRY_BYTES = 128;
const LAST_SECTOR = 0xfffffff0;
const HEADER_FAT_SECTORS = 109;

/** Streams that hold the content, by the type of the document. */
const contents: readonly (readonly [string, string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];

/** Storages of programs. */
const macros = new Set(['Macros', 'VBA', '_VBA_PROJECT_CUR', '_VBA_PROJECT']);

/** Names of streams and storages of a compound file, as Office before 2007 writes them. @throws DamagedFile */
async function namesIn(file: FileWindow): Promise<Set<string>> {
  const header = Buffer.from(await file.bytes(0, 512));
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw new DamagedFile('the sectors have no usual size');
  const size = 2 ** shift;
  const at = (sector: number): number => (sector + 1) * size;
  const nextOf = async (sector: number): Promise<number> => {
    const table = Math.floor(sector / (size / 4));
    if (table >= HEADER_FAT_SECTORS) throw new DamagedFile('the directory is too far back');
    const fat = header.readUInt32LE(76 + table * 4);
    return (await file.bytes(at(fat) + (sector % (size / 4)) * 4, 4)).readUInt32LE(0);
  };
  const names = new Set<string>();
  let sector = header.readUInt32LE(48);
  for (let read = 0; sector < LAST_SECTOR; read += 1) {
    if (read === MAXIMUM_DIRECTORY_SECTORS) throw new DamagedFile('the directory is too large');
    const entries = Buffer.from(await file.bytes(at(sector), size));
    for (let entry = 0; entry < size; entry += ENTRY_BYTES) {
      const length = entries.readUInt16LE(entry + 64);
      if (length >= 2 && length <= 64) names.add(entries.toString('utf16le', entry, entry + length - 2));
    }
    sector = await nextOf(sector);
  }
  return names;
}

/** The media type of a Word, Excel or PowerPoint document without macros; undefined for others, such as installers. */
async function officeType(path: string): Promise<string | undefined> {
  try {
    const names = await FileWindow.use(path, namesIn);
    if ([...names].some((name) => macros.has(name))) return undefined;
    return contents.find(([stream]) => names.has(stream))?.[1];
  } catch (error) {
    if (error instanceof DamagedFile) return undefined;
    throw error;
  }
}

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
