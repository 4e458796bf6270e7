import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { WebhookTestResult } from '../../../../contracts/resources/webhook-delivery.js';
import { AppError } from '../../../../contracts/errors.js';
import { NeighbourFailure } from '../../../infrastructure/neighbours/neighbour.js';
import { authorize } from '../../../access/authorize.js';
import type { RunPart, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { attempt, LEASE_SECONDS } from '../deliver/deliver-due.js';
import { DeliveryRepository, type EventBody, type StoredDelivery } from '../delivery.repository.js';
import { sampleEvent } from './sample-event.js';
import { loggedAttempt, settleAttempts } from '../deliver/settle-attempts.js';
import type { WebhookServices } from '../webhook-services.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

type Input = InputOf<typeof webhooks.test>;

interface PreparedTest {
  readonly webhook: WebhookRow;
  readonly delivery: StoredDelivery;
  readonly event: EventBody;
  readonly claim: string;
}

/** Recorded before the attempt, so that it appears in the log whatever happens. */
async function prepare(work: UnitOfWork, { id, event: type }: Input): Promise<PreparedTest> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.find(id);
  const event = sampleEvent({ id: work.newId(), type, webhookId: webhook.id }, work);
  const claim = work.newId();
  const leaseEnd = new Date(work.now.getTime() + LEASE_SECONDS * 1000);
  const delivery: StoredDelivery = {
    ...{ id: work.newId(), webhookId: webhook.id, eventType: type, eventIds: [event.id], isTest: true },
    ...{ status: 'pending', attempts: [], attemptCount: 0, nextAttemptAt: leaseEnd },
    ...{ createdAt: work.now, completedAt: null },
  };
  const deliveries = work.use(DeliveryRepository);
  await deliveries.insertBodies([event]);
  await deliveries.insertAll([{ ...delivery, claim }]);
  webhooks.recordUse('test', webhook, { deliveryId: delivery.id, event: type });
  return { webhook, delivery, event, claim };
}

/** A failure of the target is an outcome too. */
export async function testWebhook(
  inPart: RunPart,
  input: Input,
  services: WebhookServices,
): Promise<{ data: WebhookTestResult }> {
  const { webhook, delivery, event, claim } = await inPart((work) => prepare(work, input));
  const bodies = new Map([[event.id, event]]);
  const made = await services.tests
    .call(() => attempt(delivery, { webhook, bodies }, services))
    .catch((error: unknown) => {
      throw error instanceof NeighbourFailure
        ? new AppError('service_unavailable', { reason: 'too_many_tests' })
        : error;
    });
  const settled = { webhookId: webhook.id, claim, attempts: [made] };
  await inPart((work) => settleAttempts(work, settled, { seconds: [0], random: () => 0 }));
  const { at: _at, ...outcome } = loggedAttempt(made);
  return { data: { deliveryId: delivery.id, ok: made.outcome.ok, ...outcome } };
}
