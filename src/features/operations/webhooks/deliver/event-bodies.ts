import { limits } from '../../../../../contracts/limits.js';
import type { Catalog } from '../../../../content/catalog.js';
import { publicPath } from '../../../../content/route-path.js';
import { surrogateKeys } from '../../../../infrastructure/cache-tags.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import type { EventBody } from '../delivery.repository.js';
import { type QueuedEvent, EventEntryRepository, type EntryState } from './outbox.repository.js';
import { DraftDocuments, DraftRepository, presentDocument } from '../../../publishing/delivery/index.js';
import { allFilters } from '../webhook.presenter.js';
import type { WebhookRow } from '../webhook.repository.js';

const textIn = (data: QueuedEvent['payload']['data'], key: string): string | undefined => {
  const value = data[key];
  return typeof value === 'string' ? value : undefined;
};

/** Events about subjects that no delivery response contains. */
const UNCACHED = /^(?:api_key|webhook|governance)\./;

/** Keys of the responses that the event may have changed (specification section 8). */
function keysOf({ type, payload }: QueuedEvent, catalog: Catalog): string[] {
  if (UNCACHED.test(type)) return [];
  const { data, project } = payload;
  const siteIds = Array.isArray(data.siteIds) ? (data.siteIds as unknown[]) : [data.siteId];
  const sites = siteIds.map((id) => (typeof id === 'string' ? catalog.site(id)?.slug : undefined));
  if (type.startsWith('site.')) sites.push(textIn(data, 'slug'));
  const keyed = (kind: keyof typeof surrogateKeys, value: string | undefined) =>
    value === undefined ? [] : [surrogateKeys[kind](value)];
  return [
    ...keyed('entry', textIn(data, 'entryId')),
    ...keyed('media', textIn(data, 'assetId')),
    ...keyed('type', textIn(data, 'contentTypeApiName')),
    ...new Set(sites.flatMap((slug) => keyed('site', slug))),
    surrogateKeys.project(project.slug),
    ...keyed('shortEntry', textIn(data, 'entryId')),
    ...keyed('shortMedia', textIn(data, 'assetId')),
  ];
}

function stateOf({ id, type, payload: { data } }: QueuedEvent): EntryState | undefined {
  const { entryId, locale, version } = data;
  const isState = typeof entryId === 'string' && typeof locale === 'string' && type.startsWith('entry.');
  if (!isState || typeof version !== 'number') return undefined;
  return { eventId: id, entryId, locale, version, isPublished: type === 'entry.published' };
}

function pathOf(event: QueuedEvent, stored: string | undefined, catalog: Catalog): string | null {
  const { siteId, locale } = event.payload.data;
  const site = typeof siteId === 'string' ? catalog.site(siteId) : undefined;
  if (stored === undefined || site === undefined || typeof locale !== 'string') return null;
  return publicPath(site, locale, stored);
}

const isSmall = (entry: object): boolean =>
  Buffer.byteLength(JSON.stringify(entry)) <= limits.webhookEntryBytes;

/** The current document if the event describes it, else the document of its version. */
async function entriesByEvent(
  work: UnitOfWork,
  states: readonly EntryState[],
  catalog: Catalog,
): Promise<Map<string, object>> {
  const entries = await work.use(EventEntryRepository).entries(states, catalog);
  const versions = new DraftDocuments((read) => read(work.use(DraftRepository)), catalog);
  for (const state of states.filter(({ eventId }) => !entries.has(eventId))) {
    const [document] = await versions.atVersion(state, [state.locale]);
    if (document !== undefined) entries.set(state.eventId, presentDocument(document, catalog));
  }
  return entries;
}

/**
 * Entries above the size limit are omitted (rule events/body).
 * @param full ids of the events whose body includes the entry
 */
export async function eventBodies(
  work: UnitOfWork,
  events: readonly QueuedEvent[],
  full: ReadonlySet<string>,
): Promise<EventBody[]> {
  const catalog = await work.use(CatalogRepository).current();
  const eventEntries = work.use(EventEntryRepository);
  const states = events.flatMap((event) => stateOf(event) ?? []);
  const deleted = new Set(events.filter(({ type }) => type === 'entry.deleted').map(({ id }) => id));
  const paths = await eventEntries.paths(states);
  const wanted = states.filter(({ eventId }) => full.has(eventId) && !deleted.has(eventId));
  const entries = await entriesByEvent(work, wanted, catalog);
  const about = new Set(states.map(({ eventId }) => eventId));
  return events.map((event) => {
    const { id, type, payload } = event;
    const { project, environment, actor, timestamp, cause = null, data, requestId } = payload;
    const entry = entries.get(id);
    const body = {
      ...{ id, type, timestamp, project, environment, actor, cause },
      data: {
        ...data,
        ...(about.has(id) && { path: pathOf(event, paths.get(id), catalog) }),
        surrogateKeys: keysOf(event, catalog),
        ...(entry !== undefined && isSmall(entry) && { entry }),
      },
    };
    return { id, body, requestId: requestId ?? null };
  });
}

const isAskedFor = (events: readonly string[], type: string): boolean =>
  events.includes('*') || events.includes(type) || events.includes(`${type.split('.')[0] ?? ''}.*`);

/** An event without a value of the filter's kind passes. */
function passes(allowed: readonly string[], about: readonly unknown[]): boolean {
  const named = about.filter((value) => typeof value === 'string');
  return allowed.length === 0 || named.length === 0 || named.some((value) => allowed.includes(value));
}

/** Whether a webhook receives an event, by name and filters (rule events/webhooks). */
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
