import { ComplexFile } from '../complex-file.js';
import { svgLimits } from './check-css.js';
import { rm, writeFile, readFile, stat } from 'node:fs/promises';
import { openImage } from '../../images/render-image.js';
import { stripMetadata } from '../strip/strip-metadata.js';
import { Parser } from 'htmlparser2';
import { DamagedFile } from '../file-window.js';
import { DrawingWriter } from './drawing-writer.js';
import { orUndefined } from '../../promises.js';

const [LESS, GREATER, SLASH, EQUALS, QUOTE, APOSTROPHE] = [0x3c, 0x3e, 0x2f, 0x3d, 0x22, 0x27];

const nonMarkup = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
  { start: '<!', end: '>' },
];

function assertAtMost(aspect: 'elements' | 'depth' | 'attributes', count: number): void {
  if (count > svgLimits[aspect]) throw new ComplexFile(aspect, svgLimits[aspect]);
}

/** Position after `text`, or the end. */
function after(bytes: Buffer, text: string, position: number): number {
  const found = bytes.indexOf(text, position, 'latin1');
  return found === -1 ? bytes.length : found + text.length;
}

const startsAt = (bytes: Buffer, position: number, text: string): boolean =>
  bytes.toString('latin1', position, position + text.length) === text;

/** Of the start tag at `position`. */
function readTag(bytes: Buffer, position: number): { readonly end: number; readonly isEmpty: boolean } {
  let attributes = 0;
  let at = position + 1;
  while (at < bytes.length && bytes[at] !== GREATER) {
    const byte = bytes[at];
    if (byte === EQUALS) assertAtMost('attributes', (attributes += 1));
    at = byte === QUOTE || byte === APOSTROPHE ? after(bytes, String.fromCharCode(byte), at + 1) : at + 1;
  }
  return { end: at + 1, isEmpty: bytes[at - 1] === SLASH };
}

/**
 * Counts elements, depth and attributes in one pass, before anything is built of them.
 * @throws ComplexFile
 */
function assertExtent(bytes: Buffer): void {
  let [elements, depth] = [0, 0];
  let at = bytes.indexOf(LESS);
  while (at !== -1 && at < bytes.length) {
    const other = nonMarkup.find(({ start }) => startsAt(bytes, at, start));
    if (other !== undefined) at = after(bytes, other.end, at + other.start.length);
    else if (bytes[at + 1] === SLASH) {
      depth -= 1;
      at = after(bytes, '>', at);
    } else {
      assertAtMost('elements', (elements += 1));
      const { end, isEmpty } = readTag(bytes, at);
      if (!isEmpty) assertAtMost('depth', (depth += 1));
      at = end;
    }
    at = bytes.indexOf(LESS, at);
  }
}

const FORM = /^\s*data:image\/(png|jpeg|jpg|gif|webp)\s*;\s*base64\s*,([A-Za-z0-9+/=\s]+)$/i;

/** The type in its usual spelling, and the bytes; undefined for another kind of URL. */
function readDataUrl(url: string): { readonly format: string; readonly bytes: Buffer } | undefined {
  const [, format = '', content = ''] = FORM.exec(url) ?? [];
  if (format === '') return undefined;
  const name = format.toLowerCase();
  return { format: name === 'jpg' ? 'jpeg' : name, bytes: Buffer.from(content, 'base64') };
}

/** Checks the pictures that are inside of one drawing. */
class EmbeddedPictures {
  #count = 0;
  #pixels = 0;

  /** @param scratch a path that nothing else uses */
  constructor(private readonly scratch: string) {}

  /**
   * The URL of the picture without metadata; undefined if it is none, or not of the type that it says.
   * @throws ComplexFile
   */
  async check(url: string): Promise<string | undefined> {
    const found = readDataUrl(url);
    if (found === undefined) return undefined;
    this.#count += 1;
    if (this.#count > svgLimits.images) throw new ComplexFile('images', svgLimits.images);
    const { format, bytes } = found;
    // Nothing is decoded, and the pixels are counted below.
    const header = await openImage(bytes, { limitInputPixels: false });
    const metadata = await orUndefined(header.metadata());
    if (metadata?.format !== format) return undefined;
    this.#pixels += metadata.width * metadata.height * (metadata.pages ?? 1);
    if (this.#pixels > svgLimits.pixels) throw new ComplexFile('pixels', svgLimits.pixels);
    const clean = await this.#stripped(bytes, { mimeType: `image/${format}`, ...metadata });
    return `data:image/${format};base64,${clean.toString('base64')}`;
  }

  async #stripped(
    bytes: Buffer,
    { mimeType, orientation }: { readonly mimeType: string; readonly orientation?: number | undefined },
  ): Promise<Buffer> {
    const chunks: Buffer[] = [];
    try {
      await writeFile(this.scratch, bytes);
      await stripMetadata({ file: this.scratch, mimeType, orientation }, () =>
        Promise.resolve((chunk) => Promise.resolve(void chunks.push(Buffer.from(chunk)))),
      );
    } finally {
      await rm(this.scratch, { force: true });
    }
    return chunks.length === 0 ? bytes : Buffer.concat(chunks);
  }
}

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
