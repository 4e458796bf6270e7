import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = /^s1\.([A-Za-z0-9_-]+)$/;

/** A key for stored secrets out of one that serves another purpose: who learns one does not know the other. */
export function sealingKeyFrom(secret: Uint8Array): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', 'headwater stored secrets', 32));
}

/**
 * Encrypts secrets that the service must be able to read again: `s1.<nonce, ciphertext and tag in base64url>`,
 * AES-256-GCM. Each is bound to what it belongs to, so that a row's secret is of no use in another row.
 */
export class SecretBox {
  /** @param keys 32 bytes each; the first seals, every one opens, so that a key can be replaced */
  constructor(private readonly keys: readonly [Uint8Array, ...Uint8Array[]]) {}

  seal(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys[0], nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `s1.${sealed.toString('base64url')}`;
  }

  /** The secret; undefined where no key of this process opens it. */
  open(sealed: string, owner: string): string | undefined {
    const bytes = Buffer.from(FORM.exec(sealed)?.[1] ?? '', 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    for (const key of this.keys) {
      const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, opener.final()]).toString('utf8');
      } catch {
        // Sealed with another key, or changed.
      }
    }
    return undefined;
  }
}
