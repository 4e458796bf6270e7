import { Readable } from 'node:stream';
import type { Warning } from '../../../../../contracts/envelopes.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { mediaUploads } from '../../../../../contracts/media/media-uploads/media-uploads.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { CompletedUpload } from '../../../../../contracts/media/media-uploads/media-upload.js';
import { uploadKey, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import type { RunPart, UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { assetLocaleOf, defaultLocaleOf } from '../asset.presenter.js';
import { AssetRepository } from '../asset.repository.js';
import { showAsset } from '../assets/show-asset.js';
import { registerRequest, type UploadServices } from '../assets/upload-asset.js';
import { fileRefusal, type RunningCompletions } from '../shared/file-refusal.js';
import type { ReceivedStoredFile } from '../stored-asset.js';
import { lockForFile, withFile } from '../versions/replace-file.js';
import { findUpload, lockUpload, removeObjects } from './create-upload.js';
import type { StoredUpload } from './stored-upload.js';
import { UploadRepository } from './upload.repository.js';

export interface CompletionServices extends UploadServices {
  readonly storage: MediaStorage;
  readonly completions: RunningCompletions;
}

const missing = (received: number, { size }: StoredUpload): AppError =>
  new AppError('upload_incomplete', { offset: received, size });

const mismatch = (key: 'size' | 'checksum', message: string): AppError =>
  invalidInput({ path: [key], code: `${key}_mismatch`, message });

/** The keys of the objects that make up the file. */
async function objectsOf(
  inPart: RunPart,
  upload: StoredUpload,
  storage: MediaStorage,
): Promise<readonly string[]> {
  const { id, tenantId, size, received } = upload;
  if (storage.presignPost === undefined) {
    if (received < size) throw missing(received, upload);
    const parts = await inPart((work) => work.use(UploadRepository).parts(id));
    return parts.map(({ storageKey }) => storageKey);
  }
  const key = uploadKey(tenantId, id);
  const found = await storage.head(key);
  if (found === undefined) throw missing(0, upload);
  if (found.size !== size) throw mismatch('size', `The file has ${String(found.size)} bytes.`);
  return [key];
}

/** @throws AppError 404 `media_upload_not_found` if they have been swept */
async function* bytesOf(storage: MediaStorage, keys: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const key of keys) {
    const object = await storage.read(key);
    if (object === undefined) throw new AppError('media_upload_not_found');
    yield* object.stream as AsyncIterable<Uint8Array>;
  }
}

async function receiveUpload(
  { receiver, storage }: CompletionServices,
  { tenantId, fileName, mimeType, size, checksum }: StoredUpload,
  keys: readonly string[],
): Promise<ReceivedStoredFile> {
  const source = Readable.from(bytesOf(storage, keys));
  const about = { fileName, declaredType: mimeType, maximumBytes: size };
  const file = await receiver.receive({ tenantId, source, ...about });
  if (checksum !== null && checksum !== file.sourceChecksum)
    throw mismatch('checksum', `The file has the SHA-256 ${file.sourceChecksum}.`);
  return file;
}

/** The asset of an upload that is completed. */
async function showCompleted(
  work: UnitOfWork,
  { request }: StoredUpload,
  { assetId, urls }: Pick<UploadServices, 'urls'> & { readonly assetId: string },
): Promise<CompletedUpload> {
  const asset = await work.use(AssetRepository).find(assetId);
  const catalog = await work.use(CatalogRepository).current();
  const locale = assetLocaleOf(catalog, request.locale);
  return { data: await showAsset(work, asset, { urls, catalog, locale }), meta: { duplicate: true } };
}

const versionOfNew = (): AppError =>
  invalidInput({
    path: ['version'],
    code: 'not_allowed',
    message: 'The upload replaces no file, so there is no version.',
  });

const withAny = (warnings: readonly Warning[]): { readonly warnings?: Warning[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] };

interface ArrivedFile extends Pick<UploadServices, 'urls'> {
  readonly file: ReceivedStoredFile;
  /** Of the asset whose file is replaced, as the caller knows it. */
  readonly version: number | undefined;
}

async function replace(
  work: UnitOfWork,
  id: string,
  { file: { warnings, ...file }, version, urls }: ArrivedFile,
): Promise<CompletedUpload> {
  const before = await lockForFile(work, { id, version });
  const after = await withFile(work, before, file);
  const catalog = await work.use(CatalogRepository).current();
  const data = await showAsset(work, after, { urls, catalog, locale: defaultLocaleOf(catalog) });
  return {
    data,
    meta: { ...(after === before ? { duplicate: true } : { replaced: true }), ...withAny(warnings) },
  };
}

/** Of simultaneous completions in several processes, the first creates the asset or replaces its file. */
function register(inPart: RunPart, id: string, arrived: ArrivedFile): Promise<CompletedUpload> {
  return inPart(async (work) => {
    const upload = await lockUpload(work, id);
    const { assetId, request } = upload;
    if (assetId !== null) return showCompleted(work, upload, { assetId, urls: arrived.urls });
    const { replaces } = request;
    const completed =
      replaces === undefined
        ? await registerRequest(work, request, arrived)
        : await replace(work, replaces, arrived);
    await work.use(UploadRepository).complete(upload, completed.data.id);
    return completed;
  });
}

/** Receives the bytes of an upload as those of any other file. A repeated call returns the asset. */
export async function completeUpload(
  inPart: RunPart,
  { id, version }: InputOf<typeof mediaUploads.complete>,
  services: CompletionServices,
): Promise<CompletedUpload> {
  const { storage, urls, completions } = services;
  const upload = await inPart((work) => findUpload(work, id));
  const { assetId, request } = upload;
  if (assetId !== null) return inPart((work) => showCompleted(work, upload, { assetId, urls }));
  const { replaces } = request;
  if (replaces !== undefined) await inPart((work) => lockForFile(work, { id: replaces, version }));
  else if (version !== undefined) throw versionOfNew();
  return completions.run(upload.id, async () => {
    const keys = await objectsOf(inPart, upload, storage).catch((error: unknown) => {
      throw fileRefusal(error);
    });
    const file = await receiveUpload(services, upload, keys);
    const completed = await register(inPart, id, { urls, file, version });
    await removeObjects(storage, keys);
    return completed;
  });
}
