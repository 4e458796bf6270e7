import { Webhook } from 'standardwebhooks';

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
