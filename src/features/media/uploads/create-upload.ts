import type { MediaUpload } from '../../../../contracts/resources/media-upload.js';
import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
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
    ...{ id: work.newId(), tenantId, fileName, mimeType: mimeType.toLowerCase(), size },
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
