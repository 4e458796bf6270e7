import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Webhook } from '../../../../contracts/resources/webhook.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { shownWebhooks } from '../webhook.presenter.js';
import { WebhookRepository } from '../webhook.repository.js';

export async function listWebhooks(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.list>,
): Promise<{ data: Webhook[]; meta: PageMeta }> {
  const { items, total } = await work.use(WebhookRepository).list(input);
  return listEnvelope({ items: await shownWebhooks(work, items), total }, input);
}
