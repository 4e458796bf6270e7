import type { DeliveryAttempt } from '../../../../contracts/resources/webhook-delivery.js';
import type { CallOutcome } from '../../../infrastructure/webhook-sender.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { DeliveryRepository, type Settlement, type StoredDelivery } from '../delivery.repository.js';
import { nextAttemptAt, type RetryRules } from './retry-schedule.js';
import { HealthRepository } from './health.repository.js';

/** An attempt that was made and not yet recorded. */
export interface MadeAttempt {
  readonly delivery: StoredDelivery;
  readonly at: Date;
  readonly outcome: CallOutcome;
}

/** The answer of a target that wants to hear nothing any more. */
const GONE = 410;
const DISABLED_AFTER_MILLISECONDS = 5 * 86_400_000;

/** An attempt as the log keeps it. */
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

/** What must be told when the service switches a webhook off. */
export type DisableReason = 'gone' | 'five_days_of_failure';

/** Why the webhook is to be switched off; undefined where it is not. */
async function updateHealth(
  work: UnitOfWork,
  webhookId: string,
  attempts: readonly MadeAttempt[],
): Promise<DisableReason | undefined> {
  const health = work.use(HealthRepository);
  if (attempts.some(({ outcome }) => outcome.statusCode === GONE)) return 'gone';
  if (attempts.some(({ outcome }) => outcome.ok)) {
    await health.noteSuccess(webhookId);
    return undefined;
  }
  const since = await health.noteFailure(webhookId);
  if (since === undefined || work.now.getTime() - since.getTime() < DISABLED_AFTER_MILLISECONDS)
    return undefined;
  return 'five_days_of_failure';
}

/**
 * Records attempts of one webhook, and what they say about its target. Five days of failure or an answer 410
 * switch it off, which leaves an audit record.
 * @returns why it was switched off, if it was
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
  return (await work.use(HealthRepository).disable(webhookId, reason)) ? reason : undefined;
}
