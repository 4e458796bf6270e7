import { crc32 } from 'node:zlib';
import { DamagedFile, type FileWindow } from '../file-window.js';
import { isTurned, orientationExif } from './orientation.js';
import { Pieces } from './pieces.js';

/** All that changes pixels or their order, APNG included. */
const publicChunks = new Set(
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
    if (publicChunks.has(type)) pieces.keep(at, end);
    if (type === 'IHDR' && isTurned(orientation))
      pieces.insert(chunkOf('eXIf', orientationExif(orientation)));
    if (type === 'IEND') return pieces;
    at = end;
  }
}
