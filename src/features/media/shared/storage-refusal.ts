import { AppError } from '../../../../contracts/errors.js';
import { StorageFailure } from '../../../infrastructure/storage/media-storage.js';

/** A failure of the storage as callers see it: 507 `storage_full` or 503 `storage_unavailable`; others unchanged. */
export function storageRefusal(error: unknown): unknown {
  if (!(error instanceof StorageFailure)) return error;
  const refusal = new AppError(error.reason === 'full' ? 'storage_full' : 'storage_unavailable');
  return Object.assign(refusal, { cause: error });
}
