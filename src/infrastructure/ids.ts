import { v7 } from 'uuid';

const canonicalUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A new UUIDv7: ids made by one process ascend, so index pages fill in order and a list by id is a list by age. */
export function newId(): string {
  return v7();
}

/**
 * Whether a text is a UUID in its canonical 8-4-4-4-12 form, of any version and in either case. PostgreSQL takes
 * more forms (braces, missing hyphens); an id in one of those would not equal the one that is stored.
 */
export function isUuid(value: string): boolean {
  return canonicalUuid.test(value);
}
