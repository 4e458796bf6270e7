import { withWarnings, type Warned, type Warning } from '../../../../contracts/envelopes.js';
import type { webhooks } from '../../../../contracts/vocabulary/webhooks.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Webhook } from '../../../../contracts/resources/webhook.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges, makingKey } from '../../shared/index.js';
import type { WebhookServices } from '../webhook-services.js';
import { assertTarget, storedHeaders } from './webhook.policy.js';
import { allFilters, shownWebhook } from '../webhook.presenter.js';
import { WebhookRepository, type StoredHeader, type WebhookRow } from '../webhook.repository.js';

/** Enabling a webhook resets its health. */
function enabledChange(before: WebhookRow, enabled: boolean): Partial<WebhookRow> {
  if (!enabled || before.enabled) return { enabled };
  return { enabled, health: 'unknown', failingSince: null };
}

/** What a key sends elsewhere ends with that key (decisions 4.9). */
function urlChange({ scope }: UnitOfWork, before: WebhookRow, url: string): Partial<WebhookRow> {
  const keyId = makingKey(scope);
  return keyId === null || url === before.url ? { url } : { url, ownerKeyId: keyId };
}

const isSecret = (header: StoredHeader): boolean => 'sealed' in header;

/** Headers that remain for the URL: the secret ones are for the origin that they were given for (decisions 4.13). */
function remainingHeaders({ url, headers }: WebhookRow, next: string | undefined): readonly StoredHeader[] {
  const isElsewhere = next !== undefined && new URL(next).origin !== new URL(url).origin;
  return isElsewhere ? headers.filter((header) => !isSecret(header)) : headers;
}

function droppedWarnings(before: WebhookRow, after: readonly StoredHeader[]): Warning[] {
  const names = new Set(after.map(({ name }) => name.toLowerCase()));
  return before.headers
    .filter((header) => isSecret(header) && !names.has(header.name.toLowerCase()))
    .map(({ name }) => ({
      code: 'secret_header_dropped',
      message: `The URL has another origin, so the secret header "${name}" was removed. Send its value again.`,
      path: ['url'],
    }));
}

/** Equal values change nothing. */
export async function updateWebhook(
  work: UnitOfWork,
  input: InputOf<typeof webhooks.update>,
  { secretBox, sender }: WebhookServices,
): Promise<Warned<Webhook>> {
  authorize(work, 'webhooks.update', {});
  const { projectSlug: _project, id, ...change } = input;
  const { headers, filters, enabled, events, url, ...given } = definedKeys(change);
  if (url !== undefined) assertTarget(url, sender.rules);
  const webhooks = work.use(WebhookRepository);
  const before = await webhooks.lock(id);
  const remaining = remainingHeaders(before, url);
  const changes: Partial<WebhookRow> = {
    ...given,
    ...(url !== undefined && urlChange(work, before, url)),
    headers: remaining,
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(filters !== undefined && { filters: allFilters(filters) }),
    ...(headers !== undefined && {
      headers: storedHeaders(headers, { webhookId: before.id, before: remaining, secretBox }),
    }),
    ...(enabled !== undefined && enabledChange(before, enabled)),
  };
  if (!hasChanges(before, changes)) return { data: await shownWebhook(work, before) };
  const after: WebhookRow = { ...before, ...changes, updatedAt: work.now };
  await webhooks.save(before, after);
  const warnings = headers === undefined ? droppedWarnings(before, after.headers) : [];
  return withWarnings(await shownWebhook(work, after), warnings);
}
