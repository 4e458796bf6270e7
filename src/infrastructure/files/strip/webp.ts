import { DamagedFile, type FileWindow } from '../file-window.js';
import { isTurned, orientationExif } from './orientation.js';
import { Pieces } from './pieces.js';

const publicChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const HEAD_BYTES = 12;

interface Chunk {
  readonly type: string;
  readonly start: number;
  /** With padding. */
  readonly end: number;
}

async function chunksOf(file: FileWindow): Promise<Chunk[]> {
  const end = 8 + (await file.bytes(4, 4)).readUInt32LE();
  if (end > file.size) throw new DamagedFile('the picture is cut off');
  const chunks: Chunk[] = [];
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
  const kept = (await chunksOf(file)).filter(({ type }) => publicChunks.has(type));
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
