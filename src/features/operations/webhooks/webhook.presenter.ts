import type { Webhook, WebhookFilters } from '../../../../contracts/operations/webhooks/webhook.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { WebhookRepository, type WebhookRow } from './webhook.repository.js';

export const allFilters = (given: { [K in keyof WebhookFilters]?: WebhookFilters[K] | undefined }) => ({
  siteIds: [...new Set((given.siteIds ?? []).map((id) => id.toLowerCase()))],
  contentTypes: [...new Set(given.contentTypes ?? [])],
  locales: [...new Set(given.locales ?? [])],
  environments: [...new Set(given.environments ?? [])],
  actorTypes: [...new Set(given.actorTypes ?? [])],
});

/** Their presentation needs the keys that they end with. */
export async function shownWebhooks(work: UnitOfWork, rows: readonly WebhookRow[]): Promise<Webhook[]> {
  const ended = await work.use(WebhookRepository).orphaned(rows);
  return rows.map((row) => presentWebhook(row, ended.has(row.id)));
}

export async function shownWebhook(work: UnitOfWork, row: WebhookRow): Promise<Webhook> {
  return presentWebhook(row, (await work.use(WebhookRepository).orphaned([row])).has(row.id));
}

/** Omits every secret. */
function presentWebhook(row: WebhookRow, orphaned: boolean): Webhook {
  const { id, name, url, events, headers, payload, enabled, health, batchWindowSeconds, secretPreview } = row;
  return {
    id,
    name,
    url,
    events,
    filters: allFilters(row.filters),
    headers: headers.map((header) =>
      'value' in header
        ? { name: header.name, value: header.value, secret: false }
        : { name: header.name, value: null, secret: true },
    ),
    payload,
    enabled,
    health,
    batchWindowSeconds,
    orphaned,
    secretPreview,
    lastDeliveryAt: row.lastDeliveryAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
