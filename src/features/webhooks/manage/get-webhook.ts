import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Webhook } from '../../../../contracts/resources/webhook.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { shownWebhook } from '../webhook.presenter.js';
import { WebhookRepository } from '../webhook.repository.js';

export async function getWebhook(
  work: UnitOfWork,
  { id }: InputOf<typeof webhooks.get>,
): Promise<{ data: Webhook }> {
  return { data: await shownWebhook(work, await work.use(WebhookRepository).find(id)) };
}
