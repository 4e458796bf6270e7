import { AppError } from '../../../../../contracts/errors.js';
import type { mediaUploads } from '../../../../../contracts/media/media-uploads/media-uploads.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { MediaUpload } from '../../../../../contracts/media/media-uploads/media-upload.js';
import { uploadKey, type MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import type { WorkActor } from '../../../../persistence/work/unit-of-work.js';
import type { AssetRequest } from '../assets/asset-input.js';

export type UploadInput = InputOf<typeof mediaUploads.create>;

/** The asset to create, apart from its file, or the one whose file is replaced. */
export interface UploadRequest extends AssetRequest {
  readonly replaces?: string | undefined;
}

export interface StoredUpload {
  readonly id: string;
  readonly tenantId: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly checksum: string | null;
  readonly request: UploadRequest;
  /** Bytes that have arrived in parts. */
  readonly received: number;
  /** Set once completed. */
  readonly assetId: string | null;
  readonly createdAt: Date;
  readonly createdBy: WorkActor;
  readonly expiresAt: Date;
}

/** Bytes of an upload from `start` on. */
export interface UploadPart {
  readonly start: number;
  readonly size: number;
  readonly storageKey: string;
}

export interface UploadPlace {
  readonly storage: Pick<MediaStorage, 'kind' | 'presignPost'>;
  /** Without a final slash. */
  readonly baseUrl: string;
}

/** Each response has a new form. */
const FORM_SECONDS = 3600;

async function targetOf(
  { id, tenantId, size, mimeType }: StoredUpload,
  { projectSlug, storage, baseUrl }: ShownIn,
): Promise<MediaUpload['upload']> {
  if (storage.presignPost === undefined)
    return { method: 'PATCH', url: `${baseUrl}/api/v1/projects/${projectSlug}/media/uploads/${id}` };
  const conditions = { maximumBytes: size, mimeType, expiresSeconds: FORM_SECONDS };
  return { method: 'POST', ...(await storage.presignPost(uploadKey(tenantId, id), conditions)) };
}

type ShownIn = UploadPlace & { readonly projectSlug: string };

export async function presentUpload(upload: StoredUpload, place: ShownIn): Promise<MediaUpload> {
  const { id, fileName, mimeType, size, checksum, assetId, received, createdBy, request } = upload;
  return {
    id,
    fileName,
    mimeType,
    size,
    checksum,
    assetId,
    createdBy,
    replaces: request.replaces ?? null,
    status: assetId === null ? 'open' : 'completed',
    offset: place.storage.presignPost === undefined ? received : null,
    upload: assetId === null ? await targetOf(upload, place) : null,
    expiresAt: upload.expiresAt.toISOString(),
    createdAt: upload.createdAt.toISOString(),
  };
}

export const offsetConflict = ({ received }: StoredUpload): AppError =>
  new AppError('upload_offset_conflict', { offset: received });
