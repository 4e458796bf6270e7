import { notifyOfDisabled } from '../../../access/notifications/index.js';
import type { DeliveryAttempt } from '../../../../../contracts/operations/webhooks/webhook.js';
import { AppError } from '../../../../../contracts/errors.js';
import { currentSpan, tracedBy, type SpanStart } from '../../../../infrastructure/work-context.js';
import type { CallOutcome } from '../../../../infrastructure/webhook-sender.js';
import type { UnitOfWork, UnitOfWorkFactory, WorkScope } from '../../../../persistence/work/unit-of-work.js';
import {
  DeliveryRepository,
  type Settlement,
  type StoredDelivery,
  type EventBody,
} from '../delivery.repository.js';
import type { WebhookServices } from '../webhook-services.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';
import { HealthRepository } from './outbox.repository.js';
import { outgoingCall, type CallParts } from './outgoing-call.js';

/** Seconds before each of ten attempts, about 75 hours in total (rule events/delivery). */
export const retrySeconds: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
];
/** Lengthens pauses by up to this share, so that retries spread. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_SECONDS = 86_400;

/** `Retry-After` as a number of seconds or a date. */
function retryAfterSeconds(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

interface RetryRules {
  readonly seconds: readonly number[];
  /** From 0 to 1. */
  random(): number;
}

/** Undefined after the last of `made` failures. The target's `Retry-After` can lengthen the pause to a day. */
export function nextAttemptAt(
  made: number,
  { retryAfter }: Pick<CallOutcome, 'retryAfter'>,
  { rules, now }: { rules: RetryRules; now: Date },
): Date | undefined {
  const pause = rules.seconds[made];
  if (pause === undefined) return undefined;
  const seconds = Math.max(pause * (1 + JITTER * rules.random()), retryAfterSeconds(retryAfter, now));
  return new Date(now.getTime() + Math.ceil(seconds * 1000));
}

interface MadeAttempt {
  readonly delivery: StoredDelivery;
  readonly at: Date;
  readonly outcome: CallOutcome;
}

/** With this status a target unsubscribes. */
const GONE = 410;
const DISABLED_AFTER_MILLISECONDS = 5 * 86_400_000;

export function loggedAttempt({ at, outcome }: MadeAttempt): DeliveryAttempt {
  const { statusCode, durationMs, responseSnippet, error } = outcome;
  return { at: at.toISOString(), statusCode, durationMs, responseSnippet, error };
}

function settlementOf(made: MadeAttempt, now: Date, rules: RetryRules): Settlement {
  const { delivery, outcome } = made;
  const attempt = loggedAttempt(made);
  const ended = (status: 'succeeded' | 'failed') => ({
    id: delivery.id,
    status,
    nextAttemptAt: now,
    attempt,
  });
  if (outcome.ok) return ended('succeeded');
  if (outcome.statusCode === GONE || delivery.isTest) return ended('failed');
  const next = nextAttemptAt(delivery.attemptCount + 1, outcome, { rules, now });
  return next === undefined
    ? ended('failed')
    : { ...ended('failed'), status: 'pending', nextAttemptAt: next };
}

type DisableReason = 'gone' | 'five_days_of_failure';

async function updateHealth(
  work: UnitOfWork,
  webhookId: string,
  attempts: readonly MadeAttempt[],
): Promise<DisableReason | undefined> {
  const health = work.use(HealthRepository);
  if (attempts.some(({ outcome }) => outcome.statusCode === GONE)) return 'gone';
  if (attempts.some(({ outcome }) => outcome.ok)) {
    await health.recordSuccess(webhookId);
    return undefined;
  }
  const since = await health.recordFailure(webhookId);
  if (since === undefined || work.now.getTime() - since.getTime() < DISABLED_AFTER_MILLISECONDS)
    return undefined;
  return 'five_days_of_failure';
}

/**
 * A 410 or five days of failure disable the webhook, with an audit record and notifications.
 * @returns why it was disabled, if it was
 */
export async function settleAttempts(
  work: UnitOfWork,
  { webhookId, claim, attempts }: { webhookId: string; claim: string; attempts: readonly MadeAttempt[] },
  rules: RetryRules,
): Promise<DisableReason | undefined> {
  const settlements = attempts.map((made) => settlementOf(made, work.now, rules));
  await work.use(DeliveryRepository).settle(claim, settlements);
  const real = attempts.filter(({ delivery }) => !delivery.isTest);
  if (real.length === 0) return undefined;
  const reason = await updateHealth(work, webhookId, real);
  if (reason === undefined) return undefined;
  if (!(await work.use(HealthRepository).disable(webhookId, reason))) return undefined;
  await notifyOfDisabled(work, webhookId);
  return reason;
}

/** Concurrent calls to one target. */
export const CALLS_PER_TARGET = 10;
/** Exceeds the duration of a call and its record; then the claiming process counts as dead. */
export const LEASE_SECONDS = 30;

const deliverySpan = ({ id, webhookId, eventType, attemptCount }: StoredDelivery): SpanStart => ({
  name: 'webhook delivery',
  kind: 'client',
  attributes: {
    'http.request.method': 'POST',
    'headwater.webhook_id': webhookId,
    'headwater.delivery_id': id,
    'headwater.event': eventType,
    'headwater.attempt': attemptCount + 1,
  },
});

async function tracedCall(send: () => Promise<CallOutcome>): Promise<CallOutcome> {
  const span = currentSpan();
  const outcome = await send();
  if (outcome.statusCode !== null) span?.note({ 'http.response.status_code': outcome.statusCode });
  if (outcome.error !== null) span?.fail(outcome.error);
  return outcome;
}

/** Never rejects for failures of the target. The trace is not passed on: targets are strangers. */
export async function attempt(
  delivery: StoredDelivery,
  { webhook, bodies }: Pick<CallParts, 'webhook' | 'bodies'>,
  { sender, secretBox, userAgent, now, tracer }: WebhookServices,
): Promise<MadeAttempt> {
  const at = now();
  const call = outgoingCall(delivery, { webhook, bodies, secretBox, userAgent, now: at });
  if (call !== undefined) {
    const parent =
      delivery.eventIds.length === 1 ? bodies.get(delivery.eventIds[0] ?? '')?.traceParent : undefined;
    const send = (): Promise<CallOutcome> => tracedCall(() => sender.send(call));
    return { delivery, at, outcome: await tracedBy({ tracer, parent }, deliverySpan(delivery), send) };
  }
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

interface Round {
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
