import { randomBytes } from 'node:crypto';

export function randomSecretBytes(): Uint8Array {
  return randomBytes(32);
}
