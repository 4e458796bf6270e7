import { AppError } from '../../../../contracts/errors.js';
import { DamagedFile } from '../../../infrastructure/files/file-window.js';
import { StorageFailure } from '../../../infrastructure/storage/media-storage.js';

/**
 * A failure of a file or its storage as callers see it: 422 `file_damaged`, 507 `storage_full` or 503
 * `storage_unavailable`; others unchanged.
 */
export function fileRefusal(error: unknown): unknown {
  if (error instanceof DamagedFile) return new AppError('file_damaged', { reason: error.message });
  if (!(error instanceof StorageFailure)) return error;
  const refusal = new AppError(error.reason === 'full' ? 'storage_full' : 'storage_unavailable');
  return Object.assign(refusal, { cause: error });
}
