import { crc32 } from 'node:zlib';
import { DamagedFile, type FileWindow } from '../file-window.js';
import { Pieces } from './pieces.js';

/** EXIF with one tag, the orientation, so that a picture stays upright without its other metadata. */
function orientationExif(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write('II', 0, 'latin1');
  exif.writeUInt16LE(42, 2);
  exif.writeUInt32LE(8, 4);
  exif.writeUInt16LE(1, 8);
  // Tag, type SHORT, count 1, value; offset 0 ends the list.
  exif.writeUInt16LE(0x0112, 10);
  exif.writeUInt16LE(3, 12);
  exif.writeUInt32LE(1, 14);
  exif.writeUInt16LE(orientation, 18);
  return exif;
}

const isTurned = (orientation: number | undefined): orientation is number =>
  orientation !== undefined && orientation >= 2 && orientation <= 8;

const END_OF_IMAGE = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/** Of the application segments, JFIF, the colour profile and Adobe's colour transform. */
function isPublicSegment(marker: number, start: string): boolean {
  if (marker === COMMENT) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  if (marker === 0xe0) return start.startsWith('JFIF\0');
  if (marker === 0xe2) return start.startsWith('ICC_PROFILE\0');
  return marker === 0xee && start.startsWith('Adobe');
}

function orientationSegment(orientation: number): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationExif(orientation)]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([head, body]);
}

/** The position of the marker after the compressed data. */
async function endOfScan(file: FileWindow, from: number): Promise<number> {
  for (let at = from; ;) {
    const chunk = await file.chunk(at);
    if (chunk.length === 0) throw new DamagedFile('the picture is cut off');
    const found = chunk.indexOf(0xff);
    if (found < 0) {
      at += chunk.length;
      continue;
    }
    const marker = (await file.bytes(at + found, 2))[1] ?? 0;
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at + found;
    at += found + (marker === 0xff ? 1 : 2);
  }
}

interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

/** @throws DamagedFile */
async function segmentAt(file: FileWindow, position: number): Promise<Segment> {
  let start = position;
  const [lead, first = 0] = await file.bytes(start, 2);
  if (lead !== 0xff) throw new DamagedFile('a marker is missing');
  let marker = first;
  while (marker === 0xff) [, marker = 0] = await file.bytes(++start, 2);
  if (marker === END_OF_IMAGE || marker === 0x01 || isRestart(marker))
    return { marker, start, end: start + 2 };
  const length = (await file.bytes(start + 2, 2)).readUInt16BE();
  if (length < 2) throw new DamagedFile('a segment is too short');
  return { marker, start, end: start + 2 + length };
}

/** Without metadata, embedded previews and anything after the end. */
export async function stripJpeg(file: FileWindow, orientation: number | undefined): Promise<Pieces> {
  const pieces = new Pieces();
  pieces.keep(0, 2);
  let isPlaced = !isTurned(orientation);
  for (let at = 2; ;) {
    const { marker, start, end } = await segmentAt(file, at);
    // JFIF comes first.
    if (!isPlaced && marker !== 0xe0) {
      pieces.insert(orientationSegment(orientation ?? 1));
      isPlaced = true;
    }
    const beginning = (await file.bytes(start, Math.min(end - start, 16))).toString('latin1', 4);
    if (isPublicSegment(marker, beginning)) pieces.keep(start, end);
    if (marker === END_OF_IMAGE) return pieces;
    at = end;
    if (marker === SCAN) {
      at = await endOfScan(file, end);
      pieces.keep(end, at);
    }
  }
}

/** All that changes pixels or their order, APNG included. */
const publicPngChunks = new Set(
  (
    'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT ' + 'acTL fcTL fdAT cICP mDCV cLLI'
  ).split(' '),
);

const SIGNATURE_BYTES = 8;

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Without text, metadata, time and anything after the end. */
export async function stripPng(file: FileWindow, orientation: number | undefined): Promise<Pieces> {
  const pieces = new Pieces();
  pieces.keep(0, SIGNATURE_BYTES);
  for (let at = SIGNATURE_BYTES; ;) {
    const head = await file.bytes(at, 8);
    const type = head.toString('latin1', 4, 8);
    const end = at + 12 + head.readUInt32BE(0);
    if (end > file.size) throw new DamagedFile('a chunk is cut off');
    if (publicPngChunks.has(type)) pieces.keep(at, end);
    if (type === 'IHDR' && isTurned(orientation))
      pieces.insert(chunkOf('eXIf', orientationExif(orientation)));
    if (type === 'IEND') return pieces;
    at = end;
  }
}

const publicWebpChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const HEAD_BYTES = 12;

interface WebpChunk {
  readonly type: string;
  readonly start: number;
  /** With padding. */
  readonly end: number;
}

async function chunksOf(file: FileWindow): Promise<WebpChunk[]> {
  const end = 8 + (await file.bytes(4, 4)).readUInt32LE();
  if (end > file.size) throw new DamagedFile('the picture is cut off');
  const chunks: WebpChunk[] = [];
  for (let at = HEAD_BYTES; at + 8 <= end;) {
    const head = await file.bytes(at, 8);
    const size = head.readUInt32LE(4);
    const next = at + 8 + size + (size % 2);
    if (next > end + 1 || at + 8 + size > file.size) throw new DamagedFile('a chunk is cut off');
    chunks.push({ type: head.toString('latin1', 0, 4), start: at, end: Math.min(next, file.size) });
    at = next;
  }
  return chunks;
}

function exifChunk(orientation: number): Buffer {
  const exif = orientationExif(orientation);
  const head = Buffer.alloc(8);
  head.write('EXIF', 'latin1');
  head.writeUInt32LE(exif.length, 4);
  return Buffer.concat([head, exif]);
}

/** Without EXIF, XMP and anything after the end. */
export async function stripWebp(file: FileWindow, orientation: number | undefined): Promise<Pieces> {
  const kept = (await chunksOf(file)).filter(({ type }) => publicWebpChunks.has(type));
  // Only the extended format has EXIF.
  const exif = isTurned(orientation) && kept[0]?.type === 'VP8X' ? exifChunk(orientation) : Buffer.alloc(0);
  const size = kept.reduce((sum, { start, end }) => sum + end - start, exif.length);
  const pieces = new Pieces();
  const head = Buffer.from(await file.bytes(0, HEAD_BYTES));
  head.writeUInt32LE(size + 4, 4);
  pieces.insert(head);
  for (const { type, start, end } of kept) {
    if (type !== 'VP8X') {
      pieces.keep(start, end);
      continue;
    }
    const extended = Buffer.from(await file.bytes(start, end - start));
    const flags = (extended[8] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
    extended[8] = exif.length > 0 ? flags | EXIF_FLAG : flags;
    pieces.insert(extended);
  }
  if (exif.length > 0) pieces.insert(exif);
  return pieces;
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** The position after a chain of sub-blocks. */
async function endOfBlocks(file: FileWindow, from: number): Promise<number> {
  for (let at = from; ;) {
    const [size = 0] = await file.bytes(at, 1);
    at += 1 + size;
    if (size === 0) return at;
  }
}

/** Loops of an animation are kept. */
async function isPublicExtension(file: FileWindow, at: number): Promise<boolean> {
  const label = (await file.bytes(at + 1, 1))[0];
  if (label === GRAPHIC_CONTROL) return true;
  if (label !== APPLICATION) return false;
  const name = (await file.bytes(at + 3, 11)).toString('latin1');
  return name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0';
}

/** Without comments, metadata and anything after the end. */
export async function stripGif(file: FileWindow): Promise<Pieces> {
  const pieces = new Pieces();
  let at = 13 + tableBytes((await file.bytes(10, 1))[0] ?? 0);
  pieces.keep(0, at);
  for (;;) {
    const [kind] = await file.bytes(at, 1);
    if (kind === TRAILER) {
      pieces.keep(at, at + 1);
      return pieces;
    }
    if (kind === EXTENSION) {
      const end = await endOfBlocks(file, at + 2);
      if (await isPublicExtension(file, at)) pieces.keep(at, end);
      at = end;
    } else if (kind === IMAGE) {
      const data = at + 10 + tableBytes((await file.bytes(at + 9, 1))[0] ?? 0);
      const end = await endOfBlocks(file, data + 1);
      pieces.keep(at, end);
      at = end;
    } else throw new DamagedFile('an unknown block');
  }
}
