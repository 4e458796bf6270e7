import { hkdfSync } from 'node:crypto';

/** The first signs or encrypts, all verify or decrypt, so that secrets can be rotated. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]];

/** Derives 32 bytes for one purpose; they reveal nothing about `secret`. */
export function deriveSecret(secret: Uint8Array, purpose: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

export const deriveSecrets = ([first, ...others]: Secrets, purpose: string): Secrets => [
  deriveSecret(first, purpose),
  ...others.map((secret) => deriveSecret(secret, purpose)),
];
