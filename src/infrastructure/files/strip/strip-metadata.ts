import { FileWindow, DamagedFile } from '../file-window.js';
import { stripGif, stripJpeg, stripPng, stripWebp } from './pictures.js';
import { Pieces } from './pieces.js';

/** A box of the ISO base media file format. */
interface Box {
  readonly type: string;
  readonly start: number;
  /** Position of the content. */
  readonly content: number;
  readonly end: number;
}

/** More are no real file. */
const MAXIMUM_BOXES = 10_000;

/** @throws DamagedFile */
async function boxesIn(file: FileWindow, from: number, end: number): Promise<Box[]> {
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

interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Both tables fit into the window of the file. */
const TABLE_BYTES = 60_000;

const ascending = (one: Extent, other: Extent): number => one.start - other.start;

/** Reads big-endian numbers one after the other. */
class Cursor {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** @param size 0, 1, 2, 4 or 8 */
  number(size: number): number {
    if (this.at + size > this.bytes.length) throw new DamagedFile('a table is cut off');
    let value = 0;
    for (let index = 0; index < size; index += 1) value = value * 256 + (this.bytes[this.at + index] ?? 0);
    this.at += size;
    return value;
  }

  text(size: number): string {
    return String.fromCharCode(...Array.from({ length: size }, () => this.number(1)));
  }
}

async function tableOf(file: FileWindow, box: Box): Promise<Cursor> {
  const size = box.end - box.content;
  if (size > TABLE_BYTES) throw new DamagedFile('a table is too large');
  return new Cursor(Buffer.from(await file.bytes(box.content, size)));
}

/** Ids of items with EXIF or XMP. */
async function metadataItems(file: FileWindow, info: Box): Promise<Set<number>> {
  const version = (await file.bytes(info.content, 1))[0] ?? 0;
  const found = new Set<number>();
  for (const entry of await boxesIn(file, info.content + (version === 0 ? 6 : 8), info.end)) {
    const cursor = await tableOf(file, entry);
    const entryVersion = cursor.number(1);
    cursor.number(3);
    const id = cursor.number(entryVersion === 3 ? 4 : 2);
    cursor.number(2);
    if (['Exif', 'mime'].includes(cursor.text(4))) found.add(id);
  }
  return found;
}

interface Sizes {
  readonly version: number;
  readonly offset: number;
  readonly length: number;
  readonly base: number;
  readonly index: number;
}

function sizesOf(cursor: Cursor): Sizes {
  const version = cursor.number(1);
  cursor.number(3);
  const first = cursor.number(1);
  const second = cursor.number(1);
  const index = version === 0 ? 0 : second & 15;
  return { version, offset: first >> 4, length: first & 15, base: second >> 4, index };
}

/** @param data content of the `idat` box, where extents of items may be */
function extentsOf(cursor: Cursor, items: ReadonlySet<number>, data: Box | undefined): Extent[] {
  const sizes = sizesOf(cursor);
  const wide = sizes.version === 2 ? 4 : 2;
  const extents: Extent[] = [];
  for (let left = cursor.number(wide); left > 0; left -= 1) {
    const id = cursor.number(wide);
    const method = sizes.version === 0 ? 0 : cursor.number(2) & 15;
    cursor.number(2);
    const base = cursor.number(sizes.base) + (method === 1 ? (data?.content ?? 0) : 0);
    for (let count = cursor.number(2); count > 0; count -= 1) {
      cursor.number(sizes.index);
      const start = base + cursor.number(sizes.offset);
      const length = cursor.number(sizes.length);
      if (items.has(id)) extents.push({ start, end: start + length });
    }
  }
  return extents;
}

async function privateExtents(file: FileWindow): Promise<Extent[]> {
  const meta = (await boxesIn(file, 0, file.size)).find(({ type }) => type === 'meta');
  if (meta === undefined) throw new DamagedFile('the table of contents is missing');
  const boxes = await boxesIn(file, meta.content + 4, meta.end);
  const named = (name: string): Box | undefined => boxes.find(({ type }) => type === name);
  const [info, places] = [named('iinf'), named('iloc')];
  if (info === undefined || places === undefined) throw new DamagedFile('the list of items is missing');
  const items = await metadataItems(file, info);
  return items.size === 0 ? [] : extentsOf(await tableOf(file, places), items, named('idat'));
}

/** Metadata becomes zeros, because positions in the file must not change. */
async function stripAvif(file: FileWindow): Promise<Pieces> {
  const pieces = new Pieces();
  let at = 0;
  for (const { start, end } of (await privateExtents(file)).sort(ascending)) {
    if (start < at || end > file.size) throw new DamagedFile('an item is cut off');
    pieces.keep(at, start);
    pieces.zeros(end - start);
    at = end;
  }
  pieces.keep(at, file.size);
  return pieces;
}

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
async function stripMovie(file: FileWindow): Promise<Pieces> {
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

type Strip = (file: FileWindow, orientation: number | undefined) => Promise<Pieces>;

const strips: Readonly<Record<string, Strip>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
  'image/avif': stripAvif,
  'image/heic': stripAvif,
  'image/heif': stripAvif,
  'video/mp4': stripMovie,
  'video/quicktime': stripMovie,
};

interface Source {
  readonly file: string;
  readonly mimeType: string;
  /** Of EXIF; kept, so that a picture stays upright. */
  readonly orientation: number | undefined;
}

type Write = (chunk: Buffer) => Promise<void>;

/**
 * Copies a file without its metadata: pixels and sound stay as they are, bit by bit.
 * @param openCopy called only if there is anything to drop
 * @throws DamagedFile
 */
export async function stripMetadata(
  { file, mimeType, orientation }: Source,
  openCopy: () => Promise<Write>,
): Promise<void> {
  const strip = strips[mimeType];
  if (strip === undefined) return;
  await FileWindow.use(file, async (window) => {
    const pieces = await strip(window, orientation);
    if (pieces.isAll(window)) return;
    const write = await openCopy();
    for await (const chunk of pieces.bytes(window)) await write(chunk);
  });
}
