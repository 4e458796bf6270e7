import { randomBytes } from 'node:crypto';

/** The randomness of an API key's secret: 32 bytes. */
export function randomSecretBytes(): Uint8Array {
  return randomBytes(32);
}
