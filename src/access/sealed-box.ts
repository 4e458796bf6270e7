import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveSecret, type Secrets } from './media-signature.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;
const TEXT_PREFIX = 's1.';
const TEXT_FORM = /^s1\.([\w-]+)$/;

interface Parts {
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** Version 1: nonce, ciphertext, tag. */
const split = (bytes: Buffer): Parts => ({
  nonce: bytes.subarray(0, NONCE_BYTES),
  ciphertext: bytes.subarray(NONCE_BYTES, -TAG_BYTES),
  tag: bytes.subarray(-TAG_BYTES),
});

/** Without a version byte, as replies were stored before version 1: nonce, tag, ciphertext. */
const splitUnversioned = (bytes: Buffer): Parts => ({
  nonce: bytes.subarray(0, NONCE_BYTES),
  tag: bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
  ciphertext: bytes.subarray(NONCE_BYTES + TAG_BYTES),
});

/** Binds a value to its owner, such as the id of its row. */
type Context = string | Uint8Array;

/** Derives the key of stored webhook secrets. */
export function sealingKeyFrom(secret: Uint8Array): Uint8Array {
  return deriveSecret(secret, 'headwater stored secrets');
}

/**
 * Encrypts stored values (AES-256-GCM), as bytes or text (`s1.` and base64url). `open` returns undefined for an
 * unknown key or another context.
 */
export class SealedBox {
  /** @param keys 32 bytes each */
  constructor(private readonly keys: Secrets) {}

  seal(value: string, context: Context): Buffer {
    return Buffer.concat([Buffer.of(VERSION), ...this.#encrypt(value, context)]);
  }

  open(sealed: Buffer, context: Context): string | undefined {
    const versioned = sealed[0] === VERSION ? this.#decrypt(sealed.subarray(1), split, context) : undefined;
    return versioned ?? this.#decrypt(sealed, splitUnversioned, context);
  }

  sealText(value: string, context: Context): string {
    return TEXT_PREFIX + Buffer.concat(this.#encrypt(value, context)).toString('base64url');
  }

  openText(sealed: string, context: Context): string | undefined {
    const [, encoded] = TEXT_FORM.exec(sealed) ?? [];
    return encoded === undefined
      ? undefined
      : this.#decrypt(Buffer.from(encoded, 'base64url'), split, context);
  }

  #encrypt(value: string, context: Context): Buffer[] {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keys[0], nonce).setAAD(Buffer.from(context));
    return [nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()];
  }

  #decrypt(bytes: Buffer, splitBytes: (bytes: Buffer) => Parts, context: Context): string | undefined {
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const { nonce, ciphertext, tag } = splitBytes(bytes);
    for (const key of this.keys) {
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch {
        // Another key or context, or an altered value.
      }
    }
    return undefined;
  }
}
