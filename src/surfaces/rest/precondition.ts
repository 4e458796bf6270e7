import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';

type Input = Record<string, unknown>;

/** Strong tags of versions; a weak one never matches (RFC 9110 §13.1.1). */
const TAG = /(W\/)?"([1-9][0-9]{0,9})"/g;

/** The versions that an `If-Match` header accepts; undefined without one and for `*`, which accept any. */
export function expectedVersions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return [...header.matchAll(TAG)]
    .filter(([, weak]) => weak === undefined)
    .map(([, , version]) => Number(version));
}

/**
 * The input with the version that the header expects. A version in the input must be the same.
 * @throws AppError 412 `precondition_failed`
 */
export function withExpectedVersion(input: Input, expected: readonly number[] | undefined): Input {
  // A version of another type is rejected by the schema.
  if (expected === undefined || !['number', 'undefined'].includes(typeof input.version)) return input;
  const version = input.version ?? (expected.length > 0 ? Math.max(...expected) : undefined);
  if (typeof version === 'number' && expected.includes(version)) return { ...input, version };
  throw new AppError('precondition_failed', { expected: [...expected], version: version ?? null });
}

/** A failure for a caller with a precondition: a version conflict is 412. */
export function asPrecondition(failure: unknown, expected: readonly number[] | undefined): unknown {
  const error = toAppError(failure);
  const isStale = expected !== undefined && error.code === 'version_conflict';
  return isStale ? new AppError('precondition_failed', error.details) : failure;
}

/** The entity tag of an item with a version. */
export const entityTag = (version: unknown): string | undefined =>
  typeof version === 'number' ? `"${String(version)}"` : undefined;
