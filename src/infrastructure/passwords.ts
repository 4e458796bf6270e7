import { hash, verify } from '@node-rs/argon2';

/** argon2id with the parameters that OWASP names as its minimum. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash of nothing: comparing with it takes as long as with a real one, because a hash names its own cost. */
const decoy = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The argon2id hash of a password, with its salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/**
 * Whether a password fits a hash. Without a hash the same work is done for nothing, so that a
 * caller cannot tell from the time whether a user exists.
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const fits = await verify(passwordHash ?? decoy, password).catch(() => false);
  return fits && passwordHash !== null;
}
