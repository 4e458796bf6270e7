import { SealedBox, sealingKeyFrom } from '../../../access/sealed-box.js';
import type { Secrets } from '../../../access/media-signature.js';
import type { Neighbour } from '../../../infrastructure/neighbours/neighbour.js';
import type { Neighbours } from '../../../infrastructure/neighbours/neighbours.js';
import type { Tracer } from '../../../infrastructure/work-context.js';
import { WebhookSender } from '../../../infrastructure/webhook-sender.js';

/** Unset options have defaults. */
export interface WebhookOptions {
  /** 32 bytes each. The first encrypts stored secrets, all decrypt. Unset: derived from the secret of sessions. */
  readonly sealingKeys?: Secrets | undefined;
  /** Allows loopback targets, also over http: for development and tests. */
  readonly allowLoopback?: boolean;
  /** Seconds before each attempt. */
  readonly retrySeconds?: readonly number[];
  readonly timeoutMilliseconds?: number;
  readonly pollMilliseconds?: number;
}

export interface WebhookServices {
  /** Encrypts signing secrets and secret headers. */
  readonly secretBox: SealedBox;
  readonly sender: WebhookSender;
  /** Bounds the requests that wait for a target. */
  readonly tests: Pick<Neighbour, 'call'>;
  readonly userAgent: string;
  /** Unset: nothing is traced. */
  readonly tracer?: Tracer | undefined;
  now(): Date;
}

const TIMEOUT_MILLISECONDS = 15_000;
/** The sender ends calls itself, and records why. */
const STALL_MARGIN_MILLISECONDS = 5000;

export function openWebhooks(
  { sealingKeys, allowLoopback = false, timeoutMilliseconds = TIMEOUT_MILLISECONDS }: WebhookOptions,
  process: {
    readonly version: string;
    now(): Date;
    readonly sharedSecret: Uint8Array;
    readonly neighbours: Neighbours;
    readonly tracer?: Tracer | undefined;
  },
): WebhookServices {
  return {
    secretBox: new SealedBox(sealingKeys ?? [sealingKeyFrom(process.sharedSecret)]),
    sender: new WebhookSender({ allowLoopback, timeoutMilliseconds }),
    // Anyone may name a URL that does not respond.
    tests: process.neighbours.open({
      name: 'webhook-tests',
      stallMs: timeoutMilliseconds + STALL_MARGIN_MILLISECONDS,
      isOutage: () => false,
    }),
    userAgent: `Headwater/${process.version}`,
    tracer: process.tracer,
    now: process.now,
  };
}
