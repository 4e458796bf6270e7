import { FileWindow } from '../file-window.js';
import { stripAvif, stripMovie } from './boxes.js';
import { stripGif, stripJpeg, stripPng, stripWebp } from './pictures.js';
import type { Pieces } from './pieces.js';

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
