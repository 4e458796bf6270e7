import type { SecretBox } from '../../access/sealed-secret.js';
import type { WebhookSender } from '../../infrastructure/webhook-sender.js';

/** What webhooks need of the process. */
export interface WebhookServices {
  /** Keeps the secrets that sign, and secret headers. */
  readonly secretBox: SecretBox;
  readonly sender: WebhookSender;
  /** What the service calls itself. */
  readonly userAgent: string;
  now(): Date;
}
