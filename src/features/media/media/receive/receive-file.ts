import { countPages, inspectRecording } from '../../../../infrastructure/files/isolated-probe.js';
import type { ImageWork, ImageLanes } from '../../../../infrastructure/image-work/image-work.js';
import type { ImageRecipe } from '../../../../infrastructure/images/render-image.js';
import type { ImageHeader } from '../../../../infrastructure/images/inspect-image.js';
import {
  isDecoded,
  isRecording,
  type FileType,
  acceptedTypes,
  agrees,
  isFileType,
  textTypeOf,
  type TypeList,
} from './file-types.js';
import type { Readable } from 'node:stream';
import type { Warning } from '../../../../../contracts/envelopes.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { detectType } from '../../../../infrastructure/files/detect-type.js';
import type { TextEncoding } from '../../../../infrastructure/files/text-encoding.js';
import type { FileScanner, ScanStatus } from '../../../../infrastructure/scanner/file-scanner.js';
import { objectKey, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import { StagedFile } from '../../../../infrastructure/storage/staged-file.js';
import { fileRefusal } from '../shared/file-refusal.js';
import { extensionOf, safeFileName } from './file-name.js';
import { publishableFile, HashedFile, type StagedBytes } from './publishable-file.js';

/** Null where the type has no such fact. */
interface FileFacts {
  /** Upright. */
  readonly width: number | null;
  readonly height: number | null;
  readonly hasAlpha: boolean | null;
  readonly frames: number | null;
  /** Thumbhash in base64. */
  readonly placeholder: string | null;
  /** `#rrggbb`. */
  readonly dominantColor: string | null;
  readonly durationSeconds: number | null;
  readonly codec: string | null;
  readonly pages: number | null;
  /** EXIF without places; for management only. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

const nothing: FileFacts = {
  width: null,
  height: null,
  hasAlpha: null,
  frames: null,
  placeholder: null,
  dominantColor: null,
  durationSeconds: null,
  codec: null,
  pages: null,
  metadata: {},
};

interface Inspection {
  readonly file: string;
  readonly type: FileType;
  readonly header: ImageHeader | undefined;
  readonly images: ImageWork;
}

/** @throws DamagedFile for a picture that cannot be decoded whole */
async function inspectFile({ file, type, header, images }: Inspection): Promise<FileFacts> {
  if (isDecoded(type))
    return { ...nothing, ...(await images.inspect(file)), metadata: header?.metadata ?? {} };
  if (isRecording(type)) return { ...nothing, ...(await inspectRecording(file)) };
  if (type === 'application/pdf') return { ...nothing, pages: await countPages(file) };
  return nothing;
}

export interface IncomingFile {
  readonly tenantId: string;
  /** Consumed or destroyed, also on failure. */
  readonly source: Readable;
  readonly fileName: string;
  /** The media type that the client claims. */
  readonly declaredType?: string | undefined;
  readonly maximumBytes?: number | undefined;
}

export interface ReceivedFile extends FileFacts {
  /** SHA-256, in hexadecimal, of the stored bytes. */
  readonly checksum: string;
  /** Of the uploaded bytes. */
  readonly sourceChecksum: string;
  readonly storageKey: string;
  /** Of the stored bytes. */
  readonly size: number;
  readonly mimeType: string;
  readonly fileName: string;
  readonly scanStatus: ScanStatus;
  readonly warnings: readonly Warning[];
}

interface ReceiverParts {
  readonly storage: MediaStorage;
  readonly scanner: FileScanner;
  readonly lanes: ImageLanes;
  /** Unset: `default`. */
  readonly accepted?: TypeList | undefined;
}

const issue = (code: string, message: string): AppError => invalidInput({ path: ['file'], code, message });

/** What to do with pictures that most browsers do not show. */
function adviceFor(found: string | undefined): string | undefined {
  if (found === undefined || !/^image\/(?:hei[cf]|tiff)/.test(found)) return undefined;
  return 'Pictures of this type are not accepted. Export the picture as JPEG, PNG or WebP and upload that file.';
}

interface TypedFile {
  readonly mimeType: FileType;
  /** Of a text. */
  readonly encoding: TextEncoding | undefined;
}

/** @throws AppError 422 `unsupported_file_type`, 422 `validation_failed` */
async function typeOf(
  file: string,
  { fileName, declaredType }: IncomingFile,
  accepted: ReadonlySet<FileType>,
): Promise<TypedFile> {
  const { mimeType: found, encoding } = (await detectType(file)) ?? {};
  const type = found === 'text/plain' ? textTypeOf(extensionOf(fileName)) : found;
  if (type === undefined || !isFileType(type) || !accepted.has(type)) {
    const named = type ?? found;
    throw new AppError('unsupported_file_type', named && { mimeType: named }, adviceFor(named));
  }
  if (!agrees(declaredType, type))
    throw issue('type_mismatch', `The content is ${type}, which does not match the declared type.`);
  return { mimeType: type, encoding };
}

function squareRecipe({ width, height }: { width: number; height: number }, side: number): ImageRecipe {
  const edge = Math.min(width, height);
  const region = {
    width: edge,
    height: edge,
    left: Math.floor((width - edge) / 2),
    top: Math.floor((height - edge) / 2),
  };
  const resize = { width: side, height: side };
  return { region, resize, format: 'webp', quality: 82, background: undefined, isProgressive: false };
}

/** Receives uploads: one pass that hashes and bounds, then type, metadata, inspection, scan and storage. */
export class FileReceiver {
  readonly #accepted: ReadonlySet<FileType>;

  constructor(private readonly parts: ReceiverParts) {
    this.#accepted = acceptedTypes(parts.accepted ?? ['default']);
  }

  /**
   * Memory stays flat whatever the size. After a failure nothing is stored.
   * @throws AppError 413 `payload_too_large`, 422 `unsupported_file_type`, `file_damaged`,
   * `file_too_complex` and `validation_failed`, 503 `service_unavailable` and `storage_unavailable`, 507 `storage_full`
   */
  async receive(incoming: IncomingFile): Promise<ReceivedFile> {
    const staged: StagedFile[] = [];
    try {
      const source = await this.#stage(incoming, staged);
      const { mimeType, encoding } = await typeOf(source.file.path, incoming, this.#accepted);
      const { images, queue } = this.parts.lanes.of(mimeType);
      const share = incoming.tenantId;
      const { published, header, warnings } = await queue.run(
        () => publishableFile({ source, mimeType, encoding, images, create: () => this.#create(staged) }),
        share,
      );
      const file = published.file.path;
      const facts = await queue.run(() => inspectFile({ file, type: mimeType, header, images }), share);
      const scanStatus = await this.parts.scanner.scan(source.file.path);
      const storageKey = objectKey(incoming.tenantId, published.checksum);
      await this.parts.storage.put(storageKey, { file }, mimeType);
      return {
        ...facts,
        checksum: published.checksum,
        sourceChecksum: source.checksum,
        storageKey,
        size: published.size,
        mimeType,
        fileName: safeFileName(incoming.fileName, mimeType),
        scanStatus,
        warnings,
      };
    } catch (error) {
      throw fileRefusal(error);
    } finally {
      incoming.source.destroy();
      for (const file of staged) await file.discard();
    }
  }

  /**
   * The center of a picture as a small square in WebP, without metadata. Nothing is stored.
   * @throws AppError 422 `unsupported_file_type`, `file_damaged`; 503 `service_unavailable`, `storage_unavailable`
   */
  async square(picture: Buffer, { side, share }: { side: number; share: string }): Promise<Buffer> {
    const staged: StagedFile[] = [];
    try {
      const file = await this.#create(staged);
      await file.write(picture);
      await file.close();
      const { mimeType = '' } = (await detectType(file.path)) ?? {};
      if (!isFileType(mimeType) || !isDecoded(mimeType) || mimeType === 'image/svg+xml')
        throw new AppError('unsupported_file_type', { mimeType });
      const { images, queue } = this.parts.lanes.of(mimeType);
      return await queue.run(async () => {
        const { width, height } = await images.inspect(file.path);
        return images.render(file.path, squareRecipe({ width, height }, side));
      }, share);
    } catch (error) {
      throw fileRefusal(error);
    } finally {
      for (const file of staged) await file.discard();
    }
  }

  async #create(staged: StagedFile[]): Promise<StagedFile> {
    const file = await StagedFile.create(this.parts.storage.staging);
    staged.push(file);
    return file;
  }

  async #stage({ source, maximumBytes }: IncomingFile, staged: StagedFile[]): Promise<StagedBytes> {
    const maximum = maximumBytes ?? limits.mediaUploadBytes;
    const file = new HashedFile(await this.#create(staged));
    for await (const chunk of source) {
      const bytes = chunk as Buffer;
      if (file.size + bytes.length > maximum)
        throw new AppError('payload_too_large', { maximumBytes: maximum });
      await file.write(bytes);
    }
    if (file.size === 0) throw issue('empty_file', 'The file is empty.');
    return file.finish();
  }
}
