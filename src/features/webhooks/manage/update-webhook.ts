import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Webhook } from '../../../../contracts/resources/webhook.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../../shared/index.js';
import type { WebhookServices } from '../webhook-services.js';
import { assertTarget, storedHeaders } from './webhook.policy.js';
import { allFilters, presentWebhook } from '../webhook.presenter.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';

/** Enabling a webhook resets its health. */
function enabledChange(before: WebhookRow, enabled: boolean): Partial<WebhookRow> {
  if (!enabled || before.enabled) return { enabled };
  return { enabled, health: 'unknown', failingSince: null };
}

/** Equal values change nothing. */
export async function updateWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.update>,
  { secretBox, sender }: WebhookServices,
): Promise<{ data: Webhook }> {
  authorize(work, 'webhooks.update', {});
  const { projectSlug: _project, id, ...change } = input;
  const { headers, filters, enabled, events, ...given } = definedKeys(change);
  if (given.url !== undefined) assertTarget(given.url, sender.rules);
  const webhooks = work.use(WebhookRepository);
  const before = await webhooks.lock(id);
  const changes: Partial<WebhookRow> = {
    ...given,
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(filters !== undefined && { filters: allFilters(filters) }),
    ...(headers !== undefined && {
      headers: storedHeaders(headers, { webhookId: before.id, before: before.headers, secretBox }),
    }),
    ...(enabled !== undefined && enabledChange(before, enabled)),
  };
  if (!hasChanges(before, changes)) return { data: presentWebhook(before) };
  const after: WebhookRow = { ...before, ...changes, updatedAt: work.now };
  await webhooks.save(before, after);
  return { data: presentWebhook(after) };
}
