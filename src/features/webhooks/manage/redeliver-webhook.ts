import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { WebhookDelivery } from '../../../../contracts/resources/webhook-delivery.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentDelivery } from './delivery.presenter.js';
import { DeliveryRepository, type StoredDelivery } from '../delivery.repository.js';
import { WebhookRepository } from '../webhook.repository.js';

/** Sends the same events again; the delivery waits while the webhook is disabled. */
export async function redeliverWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.redeliver>,
): Promise<{ data: WebhookDelivery }> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.find(input.id);
  const deliveries = work.use(DeliveryRepository);
  const former = await deliveries.find(webhook.id, input.deliveryId);
  const delivery: StoredDelivery = {
    ...{ ...former, id: work.newId(), status: 'pending', attempts: [], attemptCount: 0 },
    ...{ nextAttemptAt: work.now, createdAt: work.now, completedAt: null },
  };
  await deliveries.insertAll([delivery]);
  webhooks.recordUse('redeliver', webhook, { deliveryId: delivery.id, formerDeliveryId: former.id });
  return { data: presentDelivery(delivery) };
}
