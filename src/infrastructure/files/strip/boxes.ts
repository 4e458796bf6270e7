import { DamagedFile, type FileWindow } from '../file-window.js';

/** A box of the ISO base media file format. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** Position of the content. */
  readonly content: number;
  readonly end: number;
}

/** More are no real file. */
const MAXIMUM_BOXES = 10_000;

/** @throws DamagedFile */
export async function boxesIn(file: FileWindow, from: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= end;) {
    const head = await file.bytes(at, 8);
    const type = head.toString('latin1', 4, 8);
    const small = head.readUInt32BE(0);
    const isLarge = small === 1;
    const size =
      small === 0 ? end - at : isLarge ? Number((await file.bytes(at + 8, 8)).readBigUInt64BE()) : small;
    const content = at + (isLarge ? 16 : 8);
    if (at + size < content || at + size > end || boxes.length === MAXIMUM_BOXES)
      throw new DamagedFile('a box is cut off');
    boxes.push({ type, start: at, content, end: at + size });
    at += size;
  }
  return boxes;
}
