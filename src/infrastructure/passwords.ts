import { hash, verify } from '@node-rs/argon2';
import { textForms } from './text-order.js';

/** argon2id with OWASP's minimum parameters. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash names its own cost, so comparing with this one takes as long as with a real one. */
const decoy = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Devices write the same characters in different forms: passwords are hashed in NFC. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), OPTIONS);
}

/**
 * Passwords were once hashed as they were given, so each form is tried. Without a hash the same work is done, so
 * that the time does not reveal whether a user exists.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  let fits = false;
  for (const form of textForms(password))
    fits ||= await verify(passwordHash ?? decoy, form).catch(() => false);
  return fits && passwordHash !== null;
}
