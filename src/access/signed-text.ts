import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const sign = (text: string, secret: Uint8Array): Buffer => createHmac('sha256', secret).update(text).digest();

/** A secret for one purpose out of another one: who learns the new one does not know the old. */
export function derivedSecret(secret: Uint8Array, purpose: string): Uint8Array {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

/** The same for several secrets, of which the first one counts most. */
export function derivedSecrets(
  [first, ...others]: readonly [Uint8Array, ...Uint8Array[]],
  purpose: string,
): [Uint8Array, ...Uint8Array[]] {
  return [derivedSecret(first, purpose), ...others.map((secret) => derivedSecret(secret, purpose))];
}

function parsed(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Seals small JSON values as `<prefix>.<payload>.<HMAC-SHA256>`, both parts in base64url. */
export class SignedText {
  readonly #form: RegExp;

  /**
   * @param prefix names what the values are for; letters and digits
   * @param secrets the first signs; every one verifies, so that a secret can be replaced while texts live
   */
  constructor(
    private readonly prefix: string,
    private readonly secrets: readonly [Uint8Array, ...Uint8Array[]],
  ) {
    this.#form = new RegExp(`^${prefix}\\.([A-Za-z0-9_-]{1,1000})\\.([A-Za-z0-9_-]{43})$`);
  }

  seal(payload: object): string {
    const text = `${this.prefix}.${Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url')}`;
    return `${text}.${sign(text, this.secrets[0]).toString('base64url')}`;
  }

  /** The value, or undefined for what was not sealed here or was changed since. */
  open(sealed: string): unknown {
    const [, encoded = '', signature = ''] = this.#form.exec(sealed) ?? [];
    return this.#isSigned(`${this.prefix}.${encoded}`, signature) ? parsed(encoded) : undefined;
  }

  #isSigned(text: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    // The last character has bits to spare: only the spelling that was issued is taken.
    if (given.toString('base64url') !== signature) return false;
    return this.secrets.some((secret) => {
      const expected = sign(text, secret);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}
