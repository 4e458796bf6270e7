import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from './derived-secret.js';

/** The canonical spelling of 32 bytes in base64url. */
const FORM = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

function signatureOf(secret: Uint8Array, path: string, query: URLSearchParams): Buffer {
  const signed = new URLSearchParams(query);
  signed.delete('sig');
  signed.sort();
  return createHmac('sha256', secret).update(`hwm1\n${path}\n${signed.toString()}`).digest();
}

/** Signs URLs of files: the path, and every parameter in the order of names (decisions 3.2). */
export class MediaSignatures {
  constructor(private readonly secrets: Secrets) {}

  /** Adds `sig`. */
  sign(path: string, query: URLSearchParams): void {
    query.set('sig', signatureOf(this.secrets[0], path, query).toString('base64url'));
  }

  /** Whether `sig` matches and `exp`, in seconds since 1970, is in the future. */
  isValid(path: string, query: URLSearchParams, now: Date): boolean {
    const [signature, ...others] = query.getAll('sig');
    if (signature === undefined || others.length > 0 || !FORM.test(signature)) return false;
    const expiry = query.getAll('exp');
    if (expiry.length !== 1 || !/^\d{1,12}$/.test(expiry[0] ?? '')) return false;
    if (Number(expiry[0]) * 1000 <= now.getTime()) return false;
    const given = Buffer.from(signature, 'base64url');
    return this.secrets.some((secret) => timingSafeEqual(signatureOf(secret, path, query), given));
  }
}
