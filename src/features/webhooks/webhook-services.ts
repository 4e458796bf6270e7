import { SealedBox, sealingKeyFrom } from '../../access/sealed-box.js';
import type { Secrets } from '../../access/derived-secret.js';
import { WebhookSender } from '../../infrastructure/webhook-sender.js';

/** How webhooks are kept and called; whatever is not set has its default. */
export interface WebhookOptions {
  /** 32 bytes each. The first encrypts stored secrets, all decrypt. Unset: derived from the secret of sessions. */
  readonly sealingKeys?: Secrets | undefined;
  /** Targets on this machine, also over http: for development and tests. */
  readonly allowLoopback?: boolean;
  /** Seconds before each attempt. */
  readonly retrySeconds?: readonly number[];
  readonly timeoutMilliseconds?: number;
  readonly pollMilliseconds?: number;
}

/** What webhooks need of the process. */
export interface WebhookServices {
  /** Keeps the secrets that sign, and secret headers. */
  readonly secretBox: SealedBox;
  readonly sender: WebhookSender;
  /** What the service calls itself. */
  readonly userAgent: string;
  now(): Date;
}

const TIMEOUT_MILLISECONDS = 15_000;

/** The services of webhooks, as they are set. */
export function openWebhooks(
  { sealingKeys, allowLoopback = false, timeoutMilliseconds = TIMEOUT_MILLISECONDS }: WebhookOptions,
  process: { readonly version: string; now(): Date; readonly sharedSecret: Uint8Array },
): WebhookServices {
  return {
    secretBox: new SealedBox(sealingKeys ?? [sealingKeyFrom(process.sharedSecret)]),
    sender: new WebhookSender({ allowLoopback, timeoutMilliseconds }),
    userAgent: `Headwater/${process.version}`,
    now: process.now,
  };
}
