import { AppError } from '../../../../contracts/errors.js';
import type { Path } from './nested-block.js';

/** The error of a nested block, with the block's path unless it has one. */
export function atPath(path: Path, { code, details, message }: AppError): AppError {
  return new AppError(code, { path, ...(details as object | undefined) }, message);
}

/** Runs a check of a nested block. */
export function checkAt<T>(path: Path, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof AppError ? atPath(path, error) : error;
  }
}
