import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

const canonicalUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUIDv7. Ids of one process ascend, so a list by id is a list by age. */
export function newId(): string {
  return v7();
}

/** Three hexadecimal digits per number. */
const counts = Array.from({ length: 4096 }, (_, count) => count.toString(16).padStart(3, '0'));
let count = counts.length;
let tail = '';
let timeHead = '';
let headMadeAt = -1;

/**
 * A UUIDv7 for requests: its first random bits count (RFC 9562 §6.2), the rest is drawn once per 4,096 ids, because
 * every cached response needs one.
 */
export function newRequestId(): string {
  const now = Date.now();
  if (now !== headMadeAt) {
    const time = now.toString(16).padStart(12, '0');
    timeHead = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    headMadeAt = now;
  }
  if (count === counts.length) {
    const random = randomBytes(8).toString('hex');
    // Variant bits 10: the first digit of the fourth group is 8, 9, a or b.
    tail = `-${'89ab'.charAt(Number(`0x${random.charAt(0)}`) & 3)}${random.slice(1, 4)}-${random.slice(4)}`;
    count = 0;
  }
  return timeHead + (counts[count++] ?? '') + tail;
}

/**
 * Canonical 8-4-4-4-12 form, any version, either case. PostgreSQL accepts more forms, which would not equal the
 * stored id.
 */
export function isUuid(value: string): boolean {
  return canonicalUuid.test(value);
}

export function randomSecretBytes(): Uint8Array {
  return randomBytes(32);
}

/** A token with 256 random bits, such as `hwr_0f3a…`. */
export const newToken = (prefix: string): string => prefix + randomBytes(32).toString('hex');

/** The stored form of a token. It has so many random bits that a plain SHA-256 cannot be reversed by search. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();
