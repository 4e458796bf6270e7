import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { ZipProblem, type ZipBounds } from '../../../infrastructure/archives/read-zip.js';

export const archiveBounds: ZipBounds = {
  members: limits.translationJobFiles,
  totalBytes: limits.translationArchiveExpandedBytes,
  nameLength: 255,
};

/** A problem of an uploaded archive as 422 `validation_failed`; others unchanged. */
export const archiveRefusal = (error: unknown): unknown =>
  error instanceof ZipProblem
    ? invalidInput({ path: ['file'], code: error.code, message: error.message })
    : error;
