import { Readable } from 'node:stream';
import { AppError } from '../../../../../contracts/errors.js';
import type { mediaUploads } from '../../../../../contracts/media/media-uploads/media-uploads.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { BytesInput } from '../../../../../contracts/media/media/media-file.js';
import type { MediaUpload } from '../../../../../contracts/media/media-uploads/media-upload.js';
import { newId } from '../../../../infrastructure/ids.js';
import {
  StorageFailure,
  uploadKey,
  type MediaStorage,
} from '../../../../infrastructure/storage/media-storage.js';
import type { RunPart } from '../../../../persistence/work/unit-of-work.js';
import { fileRefusal } from '../shared/file-refusal.js';
import { findUpload, lockUpload, removeObjects } from './create-upload.js';
import { offsetConflict, presentUpload, type StoredUpload, type UploadPlace } from './stored-upload.js';
import { UploadRepository } from './upload.repository.js';

/** A killed process loses at most this many of the bytes that it has received. */
const PART_BYTES = 32 * 1024 * 1024;

interface AppendServices {
  readonly storage: MediaStorage;
  readonly append: NonNullable<MediaStorage['append']>;
}

async function* bytesOf(content: BytesInput): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content, 'base64');
  else yield* content.open();
}

const tooLarge = (left: number): AppError =>
  new AppError('payload_too_large', { maximumBytes: left }, 'The bytes exceed the size of the file.');

/** The bytes of one request, which are stored in parts. */
class IncomingBytes {
  readonly #source: AsyncGenerator<Uint8Array>;
  #left: number;
  hasEnded = false;

  /** @param left bytes that the upload still takes */
  constructor(
    content: BytesInput,
    private readonly left: number,
  ) {
    this.#source = bytesOf(content);
    this.#left = left;
  }

  /** @throws AppError 413 `payload_too_large` */
  async *part(): AsyncGenerator<Uint8Array> {
    for (let size = 0; size < PART_BYTES;) {
      const next = await this.#source.next();
      if (next.done === true) {
        this.hasEnded = true;
        return;
      }
      size += next.value.length;
      this.#left -= next.value.length;
      if (this.#left < 0) throw tooLarge(this.left);
      yield next.value;
    }
  }

  async close(): Promise<void> {
    await this.#source.return(undefined);
  }
}

interface ArrivedPart {
  readonly size: number;
  readonly storageKey: string;
  /** Why the source ended too early; what arrived before is a part all the same. */
  readonly cut?: unknown;
}

/** @throws AppError 413 `payload_too_large`, 503 `storage_unavailable`, 507 `storage_full`: nothing stays */
async function storePart(
  { storage, append }: AppendServices,
  { tenantId, id, received }: StoredUpload,
  bytes: AsyncGenerator<Uint8Array>,
): Promise<ArrivedPart> {
  const storageKey = `${uploadKey(tenantId, id)}.${String(received)}.${newId()}`;
  try {
    return { storageKey, size: await append(storageKey, 0, Readable.from(bytes)) };
  } catch (error) {
    if (!(error instanceof StorageFailure) && !(error instanceof AppError))
      return { storageKey, size: (await storage.head(storageKey))?.size ?? 0, cut: error };
    await removeObjects(storage, [storageKey]);
    throw fileRefusal(error);
  }
}

/** Another request may have appended while this part arrived. */
async function keepPart(
  inPart: RunPart,
  { id, received }: StoredUpload,
  { part: { size, storageKey }, storage }: { part: ArrivedPart; storage: MediaStorage },
): Promise<StoredUpload> {
  try {
    return await inPart(async (work) => {
      const current = await lockUpload(work, id);
      return work.use(UploadRepository).append(current, { start: received, size, storageKey });
    });
  } catch (error) {
    await removeObjects(storage, [storageKey]);
    throw error;
  }
}

async function appendParts(
  inPart: RunPart,
  { upload, content }: { upload: StoredUpload; content: BytesInput },
  services: AppendServices,
): Promise<StoredUpload> {
  const { storage } = services;
  const bytes = new IncomingBytes(content, upload.size - upload.received);
  let current = upload;
  try {
    while (!bytes.hasEnded) {
      const part = await storePart(services, current, bytes.part());
      if (part.size > 0) current = await keepPart(inPart, current, { part, storage });
      else await removeObjects(storage, [part.storageKey]);
      if (part.cut !== undefined)
        throw new AppError(
          'invalid_request',
          { offset: current.received },
          'The request body is incomplete.',
        );
    }
    return current;
  } finally {
    await bytes.close();
  }
}

/** Appends bytes part by part, each in a separate transaction: memory stays flat, and what has arrived is kept. */
export async function appendUpload(
  inPart: RunPart,
  { projectSlug, id, offset, content }: InputOf<typeof mediaUploads.append>,
  { storage, baseUrl }: UploadPlace & { readonly storage: MediaStorage },
): Promise<{ data: MediaUpload }> {
  const append = storage.append?.bind(storage);
  if (append === undefined)
    throw new AppError('method_not_allowed', undefined, 'Send this upload as a form: see `upload`.');
  const upload = await inPart((work) => findUpload(work, id));
  if (offset !== upload.received || upload.assetId !== null) throw offsetConflict(upload);
  const left = upload.size - upload.received;
  if (typeof content !== 'string' && content.size !== undefined && content.size > left) throw tooLarge(left);
  const after = await appendParts(inPart, { upload, content }, { storage, append });
  return { data: await presentUpload(after, { projectSlug, storage, baseUrl }) };
}
