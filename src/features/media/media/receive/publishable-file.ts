import { createHash } from 'node:crypto';
import type { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import type { Warning } from '../../../../../contracts/envelopes.js';
import { stripMetadata } from '../../../../infrastructure/files/strip/strip-metadata.js';
import { decodedText, type TextEncoding } from '../../../../infrastructure/files/text-encoding.js';
import type { ImageWork } from '../../../../infrastructure/image-work/image-work.js';
import type { ImageHeader } from '../../../../infrastructure/images/inspect-image.js';
import { isDecoded, type FileType } from './file-types.js';

/** A complete file in the staging directory. */
export interface StagedBytes {
  readonly file: StagedFile;
  /** SHA-256 in hexadecimal. */
  readonly checksum: string;
  readonly size: number;
}

/** Hashes what it writes. */
export class HashedFile {
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(private readonly file: StagedFile) {}

  get size(): number {
    return this.#size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    await this.file.write(chunk);
  }

  async finish(): Promise<StagedBytes> {
    await this.file.close();
    return { file: this.file, checksum: this.#hash.digest('hex'), size: this.#size };
  }
}

interface Preparation {
  readonly source: StagedBytes;
  readonly mimeType: FileType;
  /** Of a text. */
  readonly encoding: TextEncoding | undefined;
  readonly images: ImageWork;
  create(): Promise<StagedFile>;
}

interface Publishable {
  readonly published: StagedBytes;
  /** Undefined if the file is no picture that is decoded. */
  readonly header: ImageHeader | undefined;
  readonly warnings: readonly Warning[];
}

const changed = (code: string, message: string): Warning => ({ code, message, path: ['file'] });

async function sanitized({ source, images, create }: Preparation): Promise<Publishable> {
  const { bytes, removed } = await images.sanitize(source.file.path);
  const copy = new HashedFile(await create());
  await copy.write(bytes);
  const warnings =
    removed.length === 0 ? [] : [changed('svg_changed', `Removed from the drawing: ${removed.join(', ')}.`)];
  return { published: await copy.finish(), header: undefined, warnings };
}

/** Texts are served as UTF-8. */
async function recoded({ source, create }: Preparation, encoding: TextEncoding): Promise<Publishable> {
  const copy = new HashedFile(await create());
  for await (const text of decodedText(source.file.path, encoding)) await copy.write(Buffer.from(text));
  const warning = changed('text_recoded', `The file had the encoding ${encoding}; it is stored in utf-8.`);
  return { published: await copy.finish(), header: undefined, warnings: [warning] };
}

/**
 * The bytes to deliver: drawings sanitised, pictures and videos without metadata, texts as UTF-8, everything else as
 * uploaded.
 * @throws DamagedFile, ComplexFile
 */
export async function publishableFile(preparation: Preparation): Promise<Publishable> {
  const { source, mimeType, encoding, images, create } = preparation;
  const file = source.file.path;
  if (mimeType === 'image/svg+xml') return sanitized(preparation);
  if (encoding !== undefined && encoding !== 'utf-8') return recoded(preparation, encoding);
  const header = isDecoded(mimeType) ? await images.readHeader(file) : undefined;
  let copy: HashedFile | undefined;
  await stripMetadata({ file, mimeType, orientation: header?.orientation }, async () => {
    const target = new HashedFile(await create());
    copy = target;
    return (chunk) => target.write(chunk);
  });
  return { published: (await copy?.finish()) ?? source, header, warnings: [] };
}
