import type { UnitOfWork, UnitOfWorkFactory, WorkScope } from '../../../persistence/work/unit-of-work.js';
import { AppError } from '../../../../contracts/errors.js';
import { DeliveryRepository, type EventBody, type StoredDelivery } from '../delivery.repository.js';
import { outgoingCall, type CallParts } from './outgoing-call.js';
import type { RetryRules } from './retry-schedule.js';
import { settleAttempts, type DisableReason, type MadeAttempt } from './settle-attempts.js';
import type { WebhookServices } from '../webhook-services.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

/** Calls of one target at once. */
export const CALLS_PER_TARGET = 10;
/** A process that says nothing for this long has died: the time of a call and of its record, with room to spare. */
export const LEASE_SECONDS = 30;

/** Makes one attempt; the failures of a target are outcomes, nothing is thrown. */
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

/** Deliveries that this process attempts now. */
interface Claimed {
  readonly webhook: WebhookRow;
  readonly deliveries: readonly StoredDelivery[];
  readonly bodies: ReadonlyMap<string, EventBody>;
}

async function claimDue(work: UnitOfWork, webhookId: string, claim: string): Promise<Claimed | undefined> {
  const webhook = await work
    .use(WebhookRepository)
    .find(webhookId)
    .catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
  if (webhook?.enabled !== true) return undefined;
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

/** What delivering needs. */
export interface DeliverParts extends WebhookServices {
  readonly units: UnitOfWorkFactory;
  readonly rules: RetryRules;
  newId(): string;
}

/** What one round of a webhook came to. */
export interface Round {
  readonly attempted: number;
  readonly disabled: DisableReason | undefined;
}

/**
 * Attempts the due deliveries of one webhook, a handful at once: claimed in one transaction, made outside of
 * any, recorded in another. What a crash leaves behind is attempted again when the lease ends.
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
