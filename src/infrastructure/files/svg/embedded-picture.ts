import { rm, writeFile } from 'node:fs/promises';
import { openImage } from '../../images/sharp.js';
import { ComplexFile } from '../complex-file.js';
import { stripMetadata } from '../strip/strip-metadata.js';
import { svgLimits } from './svg-limits.js';

const FORM = /^\s*data:image\/(png|jpeg|jpg|gif|webp)\s*;\s*base64\s*,([A-Za-z0-9+/=\s]+)$/i;

/** The type in its usual spelling, and the bytes; undefined for another kind of URL. */
function readDataUrl(url: string): { readonly format: string; readonly bytes: Buffer } | undefined {
  const [, format = '', content = ''] = FORM.exec(url) ?? [];
  if (format === '') return undefined;
  const name = format.toLowerCase();
  return { format: name === 'jpg' ? 'jpeg' : name, bytes: Buffer.from(content, 'base64') };
}

/** Checks the pictures that are inside of one drawing. */
export class EmbeddedPictures {
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
    const metadata = await header.metadata().catch(() => undefined);
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
