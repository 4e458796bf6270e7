import { readFile, stat } from 'node:fs/promises';
import { Parser } from 'htmlparser2';
import { DamagedFile } from '../file-window.js';
import { assertExtent } from './assert-extent.js';
import { DrawingWriter } from './drawing-writer.js';
import { EmbeddedPictures } from './embedded-picture.js';
import { svgLimits } from './svg-limits.js';

export interface SanitizedDrawing {
  readonly bytes: Buffer;
  /** Names and counts, for people. */
  readonly removed: readonly string[];
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DamagedFile('the drawing is not UTF-8', { cause: error });
  }
}

function parse(text: string): DrawingWriter {
  const writer = new DrawingWriter();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        writer.open(name, attributes);
      },
      ontext: (content) => {
        writer.text(content);
      },
      onclosetag: () => {
        writer.close();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return writer;
}

/**
 * Keeps the allowed elements, attributes and styles of a drawing, and the pictures in it: nothing that runs, and no
 * reference to anything outside. Takes time in proportion to the size.
 * @throws DamagedFile, ComplexFile
 */
export async function sanitizeSvg(file: string): Promise<SanitizedDrawing> {
  if ((await stat(file)).size > svgLimits.bytes) throw new DamagedFile('the drawing is larger than 5 MiB');
  const bytes = await readFile(file);
  assertExtent(bytes);
  const writer = parse(decode(bytes));
  const rest = writer.finish();
  if (rest === undefined) throw new DamagedFile('the drawing is empty');
  const pictures = new EmbeddedPictures(`${file}.picture`);
  const pieces: string[] = [];
  for (const { attribute, url, before } of writer.pictures) {
    const clean = await pictures.check(url);
    if (clean === undefined) writer.removed.add('image', 'that is not PNG, JPEG, GIF or WebP');
    pieces.push(before, clean === undefined ? '' : ` ${attribute}="${clean}"`);
  }
  return { bytes: Buffer.from([...pieces, rest].join(''), 'utf8'), removed: writer.removed.list() };
}
