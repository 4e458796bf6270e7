import type { mediaUploads } from '../../../../contracts/management/media-uploads.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaUpload } from '../../../../contracts/resources/media-upload.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeAsset, authorizeSites } from '../asset-rights.js';
import { AssetRepository } from '../asset.repository.js';
import { presentUpload, type StoredUpload, type UploadPlace } from './stored-upload.js';
import { UploadRepository } from './upload.repository.js';

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
