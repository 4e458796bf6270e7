import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { WebhookWithSecret } from '../../../../contracts/resources/webhook.js';
import { formatWebhookSecret, previewOfSecret } from '../../../access/webhook-signature.js';
import { randomSecretBytes } from '../../../infrastructure/random.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { makingKey } from '../../shared/index.js';
import type { WebhookServices } from '../webhook-services.js';
import { assertTarget, storedHeaders } from './webhook.policy.js';
import { allFilters, shownWebhook } from '../webhook.presenter.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

type Input = InputOf<typeof webhooks.create>;

function newWebhook(
  work: UnitOfWork,
  input: Input,
  { secretBox }: WebhookServices,
): Omit<WebhookRow, 'secrets' | 'secretPreview'> {
  const { name, url, events, filters = {}, headers = [], payload, enabled, batchWindowSeconds } = input;
  const { tenantId, projectId, actor } = work.scope;
  const id = work.newId();
  return {
    tenantId: tenantId ?? '',
    projectId: projectId ?? '',
    ...{ id, name, url, payload, enabled, batchWindowSeconds },
    events: [...new Set(events)],
    filters: allFilters(filters),
    headers: storedHeaders(headers, { webhookId: id, before: [], secretBox }),
    health: 'unknown',
    failingSince: null,
    lastDeliveryAt: null,
    createdAt: work.now,
    createdBy: actor,
    ownerKeyId: makingKey(work.scope),
    updatedAt: work.now,
  };
}

/** Only this response contains the secret. */
export async function createWebhook(
  work: UnitOfWork,
  input: Input,
  services: WebhookServices,
): Promise<{ data: WebhookWithSecret }> {
  authorize(work, 'webhooks.create', {});
  assertTarget(input.url, services.sender.rules);
  const webhooks = work.use(WebhookRepository);
  if ((await webhooks.count()) >= limits.webhooksPerProject)
    throw new AppError('limit_reached', { limit: limits.webhooksPerProject });
  const webhook = newWebhook(work, input, services);
  const secret = formatWebhookSecret(randomSecretBytes());
  const row: WebhookRow = {
    ...webhook,
    secrets: [{ sealed: services.secretBox.sealText(secret, webhook.id), expiresAt: null }],
    secretPreview: previewOfSecret(secret),
  };
  await webhooks.insert(row);
  return { data: { ...(await shownWebhook(work, row)), secret } };
}
