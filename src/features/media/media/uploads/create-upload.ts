import type { MediaUpload } from '../../../../../contracts/media/media-uploads/media-upload.js';
import { invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { UnitOfWork, RunPart } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { planAsset } from '../assets/upload-asset.js';
import { OpenUploadRepository, type UploadQuota } from '../shared/open-upload.repository.js';
import { lockForFile } from '../versions/replace-file.js';
import {
  presentUpload,
  type StoredUpload,
  type UploadInput,
  type UploadPlace,
  type UploadRequest,
} from './stored-upload.js';
import { UploadRepository } from './upload.repository.js';
import type { mediaUploads } from '../../../../../contracts/media/media-uploads/media-uploads.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { authorizeAsset, authorizeSites } from '../asset-rights.js';
import { AssetRepository } from '../asset.repository.js';
import { type MediaStorage, uploadKey } from '../../../../infrastructure/storage/media-storage.js';
import type { Deleted } from '../../../../../contracts/envelopes.js';
import { settled } from '../../../../infrastructure/promises.js';

interface PlannedUpload {
  readonly tenantId: string;
  readonly request: UploadRequest;
}

/** @throws AppError 422 `validation_failed` for keys of a new asset, 404 `media_not_found` */
async function planReplacement(
  work: UnitOfWork,
  { replaces, ...rest }: UploadRequest & { readonly replaces: string },
): Promise<PlannedUpload> {
  const taken = Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  const message = 'The properties of a replaced asset stay.';
  if (taken.length > 0)
    throw invalidInput(...taken.map((key) => ({ path: [key], code: 'not_allowed', message })));
  await lockForFile(work, { id: replaces });
  return { tenantId: (await work.use(CatalogRepository).current()).data.tenant.id, request: { replaces } };
}

async function plan(work: UnitOfWork, request: UploadRequest): Promise<PlannedUpload> {
  const { replaces } = request;
  if (replaces !== undefined) return planReplacement(work, { ...request, replaces });
  const { tenantId, properties } = await planAsset(work, request);
  return { tenantId, request: { ...request, siteIds: [...properties.siteIds] } };
}

/** Checks everything that does not need the file. */
export async function createUpload(
  work: UnitOfWork,
  { projectSlug, fileName, size, mimeType, checksum, ...input }: UploadInput,
  { quota, ...place }: UploadPlace & { readonly quota: UploadQuota },
): Promise<{ data: MediaUpload }> {
  const uploads = work.use(UploadRepository);
  const { tenantId, request } = await plan(work, input);
  await work.use(OpenUploadRepository).assertRoom(size, quota);
  const upload: StoredUpload = {
    id: work.newId(),
    tenantId,
    fileName,
    mimeType: mimeType.toLowerCase(),
    size,
    checksum: checksum?.toLowerCase() ?? null,
    request,
    received: 0,
    assetId: null,
    createdAt: work.now,
    createdBy: work.scope.actor,
    expiresAt: new Date(work.now.getTime() + limits.mediaUploadHours * 3_600_000),
  };
  await uploads.insert(upload);
  return { data: await presentUpload(upload, { ...place, projectSlug }) };
}

/**
 * The upload, for callers who may create its asset, or change the one that it replaces.
 * @throws AppError 403 `permission_denied`, 404 `media_upload_not_found`, `media_not_found`
 */
export async function findUpload(work: UnitOfWork, id: string): Promise<StoredUpload> {
  return authorized(work, await work.use(UploadRepository).find(id));
}

/** Locks it until the unit of work ends. */
export async function lockUpload(work: UnitOfWork, id: string): Promise<StoredUpload> {
  return authorized(work, await work.use(UploadRepository).lock(id));
}

async function authorized(work: UnitOfWork, upload: StoredUpload): Promise<StoredUpload> {
  const { createdBy, request } = upload;
  const { siteIds = [], replaces } = request;
  if (replaces === undefined)
    authorizeSites(work, { siteIds, createdBy }, { action: 'create', added: siteIds });
  else authorizeAsset(work, await work.use(AssetRepository).find(replaces), { action: 'update' });
  return upload;
}

export async function getUpload(
  work: UnitOfWork,
  { projectSlug, id }: InputOf<typeof mediaUploads.get>,
  place: UploadPlace,
): Promise<{ data: MediaUpload }> {
  return { data: await presentUpload(await findUpload(work, id), { ...place, projectSlug }) };
}

/** Never rejects: what cannot be removed is swept. */
export async function removeObjects(
  storage: Pick<MediaStorage, 'remove'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await settled(storage.remove(key));
}

export async function abortUpload(
  inPart: RunPart,
  { id }: InputOf<typeof mediaUploads.abort>,
  { storage }: { readonly storage: MediaStorage },
): Promise<{ data: Deleted }> {
  const { upload, keys } = await inPart(async (work) => {
    const uploads = work.use(UploadRepository);
    const found = await lockUpload(work, id);
    const parts = await uploads.parts(found.id);
    await uploads.remove(found);
    return { upload: found, keys: parts.map(({ storageKey }) => storageKey) };
  });
  const sent = storage.presignPost === undefined ? [] : [uploadKey(upload.tenantId, upload.id)];
  await removeObjects(storage, [...keys, ...sent]);
  return { data: { id: upload.id, deleted: true } };
}
