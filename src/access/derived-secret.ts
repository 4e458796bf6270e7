import { hkdfSync } from 'node:crypto';

/** One or more secrets: the first signs or encrypts, every one verifies or decrypts, so that it can be rotated. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]];

/** Derives a 32-byte secret for one purpose. It reveals nothing about the secret it comes from. */
export function deriveSecret(secret: Uint8Array, purpose: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

export const deriveSecrets = ([first, ...others]: Secrets, purpose: string): Secrets => [
  deriveSecret(first, purpose),
  ...others.map((secret) => deriveSecret(secret, purpose)),
];
