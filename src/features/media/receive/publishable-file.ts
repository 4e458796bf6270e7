import { readImageHeader, type ImageHeader } from '../../../infrastructure/images/inspect-image.js';
import { sanitizeSvg } from '../../../infrastructure/files/sanitize-svg.js';
import { stripMetadata } from '../../../infrastructure/files/strip/strip-metadata.js';
import type { StagedFile } from '../../../infrastructure/storage/staged-file.js';
import { isImage, type FileType } from './file-types.js';
import { HashedFile, type StagedBytes } from './staged-bytes.js';

interface Preparation {
  readonly source: StagedBytes;
  readonly mimeType: FileType;
  create(): Promise<StagedFile>;
}

interface Publishable {
  readonly published: StagedBytes;
  /** Undefined if the file is no raster image. */
  readonly header: ImageHeader | undefined;
}

async function sanitized({ source, create }: Preparation): Promise<StagedBytes> {
  const clean = await sanitizeSvg(source.file.path);
  const copy = new HashedFile(await create());
  await copy.write(clean);
  return copy.finish();
}

/**
 * The bytes to deliver: drawings sanitised, pictures and videos without metadata, everything else as uploaded.
 * @throws DamagedFile
 */
export async function publishableFile(preparation: Preparation): Promise<Publishable> {
  const { source, mimeType, create } = preparation;
  const file = source.file.path;
  if (mimeType === 'image/svg+xml') return { published: await sanitized(preparation), header: undefined };
  const header = isImage(mimeType) ? await readImageHeader(file) : undefined;
  let copy: HashedFile | undefined;
  await stripMetadata({ file, mimeType, orientation: header?.orientation }, async () => {
    const target = new HashedFile(await create());
    copy = target;
    return (chunk) => target.write(chunk);
  });
  return { published: (await copy?.finish()) ?? source, header };
}
