import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

const canonicalUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A new UUIDv7: ids made by one process ascend, so index pages fill in order and a list by id is a list by age. */
export function newId(): string {
  return v7();
}

const RANDOM_DIGITS = 20;
const POOLED_IDS = 1024;
let pool = '';
let taken = 0;

/**
 * A new UUIDv7 for a request: as unlikely to be met twice as any, but those of one millisecond are in no order,
 * and the randomness is drawn for many at once. Every answer from memory makes one.
 */
export function newRequestId(): string {
  if (taken + RANDOM_DIGITS > pool.length) {
    pool = randomBytes((RANDOM_DIGITS / 2) * POOLED_IDS).toString('hex');
    taken = 0;
  }
  const random = pool.slice(taken, (taken += RANDOM_DIGITS));
  const time = Date.now().toString(16).padStart(12, '0');
  // Variant bits 10: the first digit of the fourth group is 8, 9, a or b.
  const variant = '89ab'.charAt(random.charCodeAt(3) & 3);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/**
 * Whether a text is a UUID in its canonical 8-4-4-4-12 form, of any version and in either case. PostgreSQL takes
 * more forms (braces, missing hyphens); an id in one of those would not equal the one that is stored.
 */
export function isUuid(value: string): boolean {
  return canonicalUuid.test(value);
}
