import type { QueuedEvent } from './outbox.repository.js';
import { allFilters } from '../webhook.presenter.js';
import type { WebhookRow } from '../webhook.repository.js';

const isAskedFor = (events: readonly string[], type: string): boolean =>
  events.includes('*') || events.includes(type) || events.includes(`${type.split('.')[0] ?? ''}.*`);

/** An event without a value of the filter's kind passes. */
function passes(allowed: readonly string[], about: readonly unknown[]): boolean {
  const named = about.filter((value) => typeof value === 'string');
  return allowed.length === 0 || named.length === 0 || named.some((value) => allowed.includes(value));
}

/** Whether a webhook receives an event, by name and filters (decisions 2.20). */
export function matchesWebhook({ events, filters }: WebhookRow, { type, payload }: QueuedEvent): boolean {
  const { siteIds, contentTypes, locales, environments, actorTypes } = allFilters(filters);
  const { data, environment, actor } = payload;
  const sites = Array.isArray(data.siteIds) ? (data.siteIds as unknown[]) : [data.siteId];
  return (
    isAskedFor(events, type) &&
    passes(siteIds, sites) &&
    passes(contentTypes, [data.contentTypeApiName]) &&
    passes(locales, [data.locale]) &&
    passes(environments, [environment]) &&
    passes(actorTypes, [actor.type])
  );
}
