import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** A webhook's secret in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export const formatWebhookSecret = (bytes: Uint8Array): string =>
  `${PREFIX}${Buffer.from(bytes).toString('base64')}`;

/** What may be shown of a secret: its last four characters but the padding. */
export const previewOfSecret = (secret: string): string => `${PREFIX}…${secret.replace(/=+$/, '').slice(-4)}`;

/** What a signature vouches for. */
interface SignedCall {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers that prove where a call comes from (Standard Webhooks). `webhook-signature` carries one
 * signature for each secret, the newest first.
 */
export function signatureHeaders(
  { id, at, body }: SignedCall,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
