import type { FileWindow } from '../file-window.js';
import { boxesIn, type Box } from './boxes.js';
import { Pieces } from './pieces.js';

/** User data, metadata and extensions: places, devices, names. */
const privateBoxes = new Set(['udta', 'meta', 'uuid']);

async function privateIn(file: FileWindow, boxes: readonly Box[]): Promise<Box[]> {
  const found: Box[] = [];
  for (const box of boxes) {
    if (privateBoxes.has(box.type)) found.push(box);
    else if (box.type === 'moov' || box.type === 'trak')
      found.push(...(await privateIn(file, await boxesIn(file, box.content, box.end))));
  }
  return found;
}

/** Metadata becomes free space of the same size, because positions in the file must not change. */
export async function stripMovie(file: FileWindow): Promise<Pieces> {
  const pieces = new Pieces();
  let at = 0;
  for (const { start, content, end } of await privateIn(file, await boxesIn(file, 0, file.size))) {
    pieces.keep(at, start + 4);
    pieces.insert(Buffer.from('free', 'latin1'));
    pieces.keep(start + 8, content);
    pieces.zeros(end - content);
    at = end;
  }
  pieces.keep(at, file.size);
  return pieces;
}
