import { AppError } from '../../../../contracts/errors.js';
import { ComplexFile } from '../../../infrastructure/files/complex-file.js';
import { DamagedFile } from '../../../infrastructure/files/file-window.js';
import { ImageProcessFailure } from '../../../infrastructure/image-work/image-process.js';
import { QueueFull } from '../../../infrastructure/images/work-queue.js';
import { StorageFailure } from '../../../infrastructure/storage/media-storage.js';

/**
 * A failure of a file or its storage as callers see it: 422 `file_damaged` or `file_too_complex`, 503
 * `service_unavailable` when too many files wait, 507 `storage_full` or 503
 * `storage_unavailable`; others unchanged.
 */
export function fileRefusal(error: unknown): unknown {
  if (error instanceof DamagedFile) return new AppError('file_damaged', { reason: error.message });
  if (error instanceof ComplexFile)
    return new AppError('file_too_complex', { aspect: error.aspect, maximum: error.maximum });
  if (error instanceof QueueFull || error instanceof ImageProcessFailure)
    return new AppError('service_unavailable', { reason: 'files' });
  if (!(error instanceof StorageFailure)) return error;
  const refusal = new AppError(error.reason === 'full' ? 'storage_full' : 'storage_unavailable');
  return Object.assign(refusal, { cause: error });
}
