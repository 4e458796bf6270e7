import { DamagedFile, type FileWindow } from '../file-window.js';
import { isTurned, orientationExif } from './orientation.js';
import { Pieces } from './pieces.js';

const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/** Of the application segments, JFIF, the colour profile and Adobe's colour transform. */
function isPublic(marker: number, start: string): boolean {
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
  if (marker === END || marker === 0x01 || isRestart(marker)) return { marker, start, end: start + 2 };
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
    if (isPublic(marker, beginning)) pieces.keep(start, end);
    if (marker === END) return pieces;
    at = end;
    if (marker === SCAN) {
      at = await endOfScan(file, end);
      pieces.keep(end, at);
    }
  }
}
