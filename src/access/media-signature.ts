import { hkdfSync, createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

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

/** The canonical spelling of 32 bytes in base64url. */
const FORM = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

function signatureOf(secret: Uint8Array, path: string, query: URLSearchParams): Buffer {
  const signed = new URLSearchParams(query);
  signed.delete('sig');
  signed.sort();
  return createHmac('sha256', secret).update(`hwm1\n${path}\n${signed.toString()}`).digest();
}

/** Signs URLs of files: the path, and every parameter in the order of names (rule media/urls). */
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

const PREFIX = 'whsec_';

/** Standard Webhooks form: `whsec_` and 32 bytes in base64. */
export const formatWebhookSecret = (bytes: Uint8Array): string =>
  `${PREFIX}${Buffer.from(bytes).toString('base64')}`;

/** The last four characters without padding. */
export const previewOfSecret = (secret: string): string => `${PREFIX}…${secret.replace(/=+$/, '').slice(-4)}`;

interface SignedCall {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks.
 * @param secrets newest first; each adds one signature, so that receivers can rotate
 */
export function signatureHeaders(
  { id, at, body }: SignedCall,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
