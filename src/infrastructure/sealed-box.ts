import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what is kept for a while and must not lie readable (AES-256-GCM). */
export class SealedBox {
  /** @param keys of 32 bytes each; the first one seals, all open */
  constructor(private readonly keys: readonly [Uint8Array, ...Uint8Array[]]) {}

  /** @param context what the text belongs to; it opens with the same one only */
  seal(text: string, context: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys[0], nonce).setAAD(context);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** The text; undefined where it was sealed with another key or for something else. */
  open(sealed: Buffer, context: Uint8Array): string | undefined {
    for (const key of this.keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
          .setAAD(context)
          .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const opened = [decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return Buffer.concat(opened).toString('utf8');
      } catch {
        // The next key may be the one.
      }
    }
    return undefined;
  }
}
