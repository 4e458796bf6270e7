import type { MediaUpload } from '../../../../contracts/resources/media-upload.js';
import { limits } from '../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { planAsset } from '../assets/upload-asset.js';
import { presentUpload, type StoredUpload, type UploadInput, type UploadPlace } from './stored-upload.js';
import { UploadRepository } from './upload.repository.js';

/** Checks everything that does not need the file. */
export async function createUpload(
  work: UnitOfWork,
  { projectSlug, fileName, size, mimeType, checksum, ...request }: UploadInput,
  place: UploadPlace,
): Promise<{ data: MediaUpload }> {
  const uploads = work.use(UploadRepository);
  const { tenantId, properties } = await planAsset(work, request);
  await uploads.assertRoom();
  const { siteIds } = properties;
  const upload: StoredUpload = {
    ...{ id: work.newId(), tenantId, fileName, mimeType: mimeType.toLowerCase(), size },
    checksum: checksum?.toLowerCase() ?? null,
    request: { ...request, siteIds: [...siteIds] },
    received: 0,
    assetId: null,
    createdAt: work.now,
    createdBy: work.scope.actor,
    expiresAt: new Date(work.now.getTime() + limits.mediaUploadHours * 3_600_000),
  };
  await uploads.insert(upload);
  return { data: await presentUpload(upload, { ...place, projectSlug }) };
}
