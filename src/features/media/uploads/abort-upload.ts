import type { Deleted } from '../../../../contracts/envelopes.js';
import type { mediaUploads } from '../../../../contracts/management/media-uploads.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { uploadKey, type MediaStorage } from '../../../infrastructure/storage/media-storage.js';
import type { RunPart } from '../../../persistence/work/unit-of-work.js';
import { lockUpload } from './find-upload.js';
import { removeObjects } from './remove-objects.js';
import { UploadRepository } from './upload.repository.js';

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
