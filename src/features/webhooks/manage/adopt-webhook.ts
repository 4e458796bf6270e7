import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Webhook } from '../../../../contracts/resources/webhook.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { shownWebhook } from '../webhook.presenter.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

/** Makes the webhook of a key the caller's, so that it outlives the key (decisions 4.9). One of a user is unchanged. */
export async function adoptWebhook(
  work: UnitOfWork,
  { id }: InputOf<typeof webhooks.adopt>,
): Promise<{ data: Webhook }> {
  authorize(work, 'webhooks.update', {});
  const webhooks = work.use(WebhookRepository);
  const before = await webhooks.lock(id);
  if (before.ownerKeyId === null) return { data: await shownWebhook(work, before) };
  const after: WebhookRow = {
    ...before,
    ownerKeyId: null,
    createdBy: work.scope.actor,
    updatedAt: work.now,
  };
  await webhooks.save(before, after, 'adopt');
  return { data: await shownWebhook(work, after) };
}
