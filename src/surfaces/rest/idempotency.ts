import type { IncomingMessage } from 'node:http';
import { invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { OperationMeta, RestMeta } from '../../../contracts/metadata.js';

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
