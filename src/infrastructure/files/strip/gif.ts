import { DamagedFile, type FileWindow } from '../file-window.js';
import { Pieces } from './pieces.js';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const END = 0x3b;
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
async function isPublic(file: FileWindow, at: number): Promise<boolean> {
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
    if (kind === END) {
      pieces.keep(at, at + 1);
      return pieces;
    }
    if (kind === EXTENSION) {
      const end = await endOfBlocks(file, at + 2);
      if (await isPublic(file, at)) pieces.keep(at, end);
      at = end;
    } else if (kind === IMAGE) {
      const data = at + 10 + tableBytes((await file.bytes(at + 9, 1))[0] ?? 0);
      const end = await endOfBlocks(file, data + 1);
      pieces.keep(at, end);
      at = end;
    } else throw new DamagedFile('an unknown block');
  }
}
