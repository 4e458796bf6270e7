import type { UnitOfWork, UnitOfWorkFactory, WorkScope } from '../../../../persistence/work/unit-of-work.js';
import { AppError } from '../../../../../contracts/errors.js';
import { DeliveryRepository, type EventBody, type StoredDelivery } from '../delivery.repository.js';
import { outgoingCall, type CallParts } from './outgoing-call.js';
import { type RetryRules, settleAttempts, type DisableReason, type MadeAttempt } from './settle-attempts.js';
import type { WebhookServices } from '../webhook-services.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

/** Concurrent calls to one target. */
export const CALLS_PER_TARGET = 10;
/** Exceeds the duration of a call and its record; then the claiming process counts as dead. */
export const LEASE_SECONDS = 30;

/** Never rejects for failures of the target. */
export async function attempt(
  delivery: StoredDelivery,
  { webhook, bodies }: Pick<CallParts, 'webhook' | 'bodies'>,
  { sender, secretBox, userAgent, now }: WebhookServices,
): Promise<MadeAttempt> {
  const at = now();
  const call = outgoingCall(delivery, { webhook, bodies, secretBox, userAgent, now: at });
  if (call !== undefined) return { delivery, at, outcome: await sender.send(call) };
  const nothing = { ok: false, statusCode: null, durationMs: 0, responseSnippet: null, retryAfter: null };
  return { delivery, at, outcome: { ...nothing, error: 'secret_unreadable' } };
}

interface Claimed {
  readonly webhook: WebhookRow;
  readonly deliveries: readonly StoredDelivery[];
  readonly bodies: ReadonlyMap<string, EventBody>;
}

async function claimDue(work: UnitOfWork, webhookId: string, claim: string): Promise<Claimed | undefined> {
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.find(webhookId).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (webhook?.enabled !== true || (await webhooks.orphaned([webhook])).has(webhookId)) return undefined;
  const leaseEnd = new Date(work.now.getTime() + LEASE_SECONDS * 1000);
  const deliveries = work.use(DeliveryRepository);
  const claimed = await deliveries.claim(webhookId, { claim, leaseEnd, limit: CALLS_PER_TARGET });
  if (claimed.length === 0) return undefined;
  return {
    webhook,
    deliveries: claimed,
    bodies: await deliveries.bodies(claimed.flatMap((one) => one.eventIds)),
  };
}

export interface DeliverParts extends WebhookServices {
  readonly units: UnitOfWorkFactory;
  readonly rules: RetryRules;
  newId(): string;
}

export interface Round {
  readonly attempted: number;
  readonly disabled: DisableReason | undefined;
}

/**
 * Attempts the due deliveries of one webhook, outside transactions. After a crash they are attempted again when the
 * lease ends.
 */
export async function deliverDue(scope: WorkScope, webhookId: string, parts: DeliverParts): Promise<Round> {
  const claim = parts.newId();
  const inScope = <T>(run: (work: UnitOfWork) => Promise<T>): Promise<T> =>
    parts.units.run({ scope, isReadOnly: false, lock: 'none' }, run);
  const claimed = await inScope((work) => claimDue(work, webhookId, claim));
  if (claimed === undefined) return { attempted: 0, disabled: undefined };
  const attempts = await Promise.all(claimed.deliveries.map((delivery) => attempt(delivery, claimed, parts)));
  const settled = { webhookId, claim, attempts };
  const disabled = await inScope((work) => settleAttempts(work, settled, parts.rules));
  return { attempted: attempts.length, disabled };
}
