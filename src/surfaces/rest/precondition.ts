import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';

type Input = Record<string, unknown>;

/** Strong tags of versions; a weak one never matches (RFC 9110 §13.1.1). */
const TAG = /(W\/)?"([1-9][0-9]{0,9})"/g;

/** The versions that an `If-Match` header accepts; undefined where there is none, or `*`: any will do. */
export function expectedVersions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return [...header.matchAll(TAG)]
    .filter(([, weak]) => weak === undefined)
    .map(([, , version]) => Number(version));
}

/**
 * The input with the version that the header expects. One that the caller sends beside it must agree:
 * of two that differ one is out of date.
 * @throws AppError 412 `precondition_failed`
 */
export function withExpectedVersion(input: Input, expected: readonly number[] | undefined): Input {
  // A version of another type is for the schema to refuse.
  if (expected === undefined || !['number', 'undefined'].includes(typeof input.version)) return input;
  const version = input.version ?? (expected.length > 0 ? Math.max(...expected) : undefined);
  if (typeof version === 'number' && expected.includes(version)) return { ...input, version };
  throw new AppError('precondition_failed', { expected: [...expected], version: version ?? null });
}

/** A failure as a caller with a precondition is told it: what would be a conflict of versions is 412. */
export function asPrecondition(failure: unknown, expected: readonly number[] | undefined): unknown {
  const error = toAppError(failure);
  const isStale = expected !== undefined && error.code === 'version_conflict';
  return isStale ? new AppError('precondition_failed', error.details) : failure;
}

/** The entity tag of an item with a version. */
export const entityTag = (version: unknown): string | undefined =>
  typeof version === 'number' ? `"${String(version)}"` : undefined;
