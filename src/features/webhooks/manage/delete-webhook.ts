import type { Deleted } from '../../../../contracts/envelopes.js';
import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { WebhookRepository } from '../webhook.repository.js';

/** Pending deliveries remain until they are pruned. */
export async function deleteWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.delete>,
): Promise<{ data: Deleted }> {
  authorize(work, 'webhooks.delete', {});
  const webhooks = work.use(WebhookRepository);
  const webhook = await webhooks.lock(input.id);
  await webhooks.remove(webhook);
  return { data: { id: webhook.id, deleted: true } };
}
