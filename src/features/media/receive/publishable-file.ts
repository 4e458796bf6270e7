import type { ImageWork } from '../../../infrastructure/image-work/image-work.js';
import type { ImageHeader } from '../../../infrastructure/images/inspect-image.js';
import { stripMetadata } from '../../../infrastructure/files/strip/strip-metadata.js';
import type { StagedFile } from '../../../infrastructure/storage/staged-file.js';
import { isImage, type FileType } from './file-types.js';
import { HashedFile, type StagedBytes } from './staged-bytes.js';

interface Preparation {
  readonly source: StagedBytes;
  readonly mimeType: FileType;
  readonly images: ImageWork;
  create(): Promise<StagedFile>;
}

interface Publishable {
  readonly published: StagedBytes;
  /** Undefined if the file is no raster image. */
  readonly header: ImageHeader | undefined;
  /** What was removed from a drawing. */
  readonly removed: readonly string[];
}

async function sanitized({ source, images, create }: Preparation): Promise<Publishable> {
  const { bytes, removed } = await images.sanitize(source.file.path);
  const copy = new HashedFile(await create());
  await copy.write(bytes);
  return { published: await copy.finish(), header: undefined, removed };
}

/**
 * The bytes to deliver: drawings sanitised, pictures and videos without metadata, everything else as uploaded.
 * @throws DamagedFile, ComplexFile
 */
export async function publishableFile(preparation: Preparation): Promise<Publishable> {
  const { source, mimeType, images, create } = preparation;
  const file = source.file.path;
  if (mimeType === 'image/svg+xml') return sanitized(preparation);
  const header = isImage(mimeType) ? await images.readHeader(file) : undefined;
  let copy: HashedFile | undefined;
  await stripMetadata({ file, mimeType, orientation: header?.orientation }, async () => {
    const target = new HashedFile(await create());
    copy = target;
    return (chunk) => target.write(chunk);
  });
  return { published: (await copy?.finish()) ?? source, header, removed: [] };
}
