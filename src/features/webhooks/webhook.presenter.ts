import type { Webhook, WebhookFilters } from '../../../contracts/resources/webhook.js';
import type { WebhookRow } from './webhook.repository.js';

export const allFilters = (given: { [K in keyof WebhookFilters]?: WebhookFilters[K] | undefined }) => ({
  siteIds: [...new Set((given.siteIds ?? []).map((id) => id.toLowerCase()))],
  contentTypes: [...new Set(given.contentTypes ?? [])],
  locales: [...new Set(given.locales ?? [])],
  environments: [...new Set(given.environments ?? [])],
  actorTypes: [...new Set(given.actorTypes ?? [])],
});

/** Omits every secret. */
export function presentWebhook(row: WebhookRow): Webhook {
  const { id, name, url, events, headers, payload, enabled, health, batchWindowSeconds, secretPreview } = row;
  return {
    ...{ id, name, url, events },
    filters: allFilters(row.filters),
    headers: headers.map((header) =>
      'value' in header
        ? { name: header.name, value: header.value, secret: false }
        : { name: header.name, value: null, secret: true },
    ),
    ...{ payload, enabled, health, batchWindowSeconds, secretPreview },
    lastDeliveryAt: row.lastDeliveryAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
