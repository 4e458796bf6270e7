import type { IncomingMessage } from 'node:http';
import { AppError, invalidInput } from '../../../contracts/errors.js';
import { toAppError } from '../../../contracts/procedure.js';
import { limits } from '../../../contracts/limits.js';
import type { OperationMeta, RestMeta } from '../../../contracts/metadata.js';

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

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Every POST of management and platform that changes something. */
export function takesIdempotencyKey(
  { audience, changesNothing }: OperationMeta,
  { method }: RestMeta,
): boolean {
  return (
    method === 'POST' && changesNothing !== true && (audience === 'management' || audience === 'platform')
  );
}

/** @throws AppError 422 unless visible ASCII within the length limit */
export function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length <= limits.idempotencyKeyLength && VISIBLE_ASCII.test(key))
    return key;
  const message = `Must be 1 to ${String(limits.idempotencyKeyLength)} visible ASCII characters.`;
  throw invalidInput({ path: ['Idempotency-Key'], code: 'invalid_format', message });
}
