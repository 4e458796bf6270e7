import { AppError } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';

type Input = Record<string, unknown>;

/** Strong tags; weak ones never match (RFC 9110 §13.1.1). */
const TAG = /(W\/)?"([1-9][0-9]{0,9})"/g;

/** The versions in `If-Match`; undefined without the header and for `*`. */
export function expectedVersions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return [...header.matchAll(TAG)]
    .filter(([, weak]) => weak === undefined)
    .map(([, , version]) => Number(version));
}

/**
 * Adds the expected version, which a version in the input must equal.
 * @throws AppError 412 `precondition_failed`
 */
export function withExpectedVersion(input: Input, expected: readonly number[] | undefined): Input {
  // The schema rejects other types.
  if (expected === undefined || !['number', 'undefined'].includes(typeof input.version)) return input;
  const version = input.version ?? (expected.length > 0 ? Math.max(...expected) : undefined);
  if (typeof version === 'number' && expected.includes(version)) return { ...input, version };
  throw new AppError('precondition_failed', { expected: [...expected], version: version ?? null });
}

/** A version conflict is 412 if the request has a precondition. */
export function toPreconditionFailure(failure: unknown, expected: readonly number[] | undefined): unknown {
  const error = toAppError(failure);
  const isStale = expected !== undefined && error.code === 'version_conflict';
  return isStale ? new AppError('precondition_failed', error.details) : failure;
}

export const entityTag = (version: unknown): string | undefined =>
  typeof version === 'number' ? `"${String(version)}"` : undefined;
