import { limits } from '../../../../../contracts/limits.js';
import type { Catalog } from '../../../../content/catalog.js';
import { publicPath } from '../../../../content/route-path.js';
import { surrogateKeys } from '../../../../infrastructure/cache-tags.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { notifyOfEvents } from '../../../access/notifications/index.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { DraftDocuments, DraftRepository, presentDocument } from '../../../publishing/delivery/index.js';
import { DeliveryRepository, type EventBody, type NewDelivery } from '../delivery.repository.js';
import { allFilters } from '../webhook.presenter.js';
import { WebhookRepository, type WebhookRow } from '../webhook.repository.js';
import {
  EventEntryRepository,
  OutboxRepository,
  type QueuedEvent,
  type EntryState,
} from './outbox.repository.js';
import { BATCH } from './outgoing-call.js';

const textIn = (data: QueuedEvent['payload']['data'], key: string): string | undefined => {
  const value = data[key];
  return typeof value === 'string' ? value : undefined;
};

type Data = QueuedEvent['payload']['data'];

/** What a cache has to drop because of an event. */
type Purged = 'entry' | 'media' | 'type' | 'site' | 'project';

/** Whether an entry of the type has a path. */
const isPage = (data: Data, catalog: Catalog): boolean =>
  catalog.contentType(textIn(data, 'contentTypeApiName') ?? '')?.isPage ?? false;

/** Nothing for what no delivery response shows: drafts, keys, comments, tasks. */
function purgedBy(type: string, data: Data, catalog: Catalog): readonly Purged[] {
  const [subject, verb = ''] = type.split('.');
  switch (subject) {
    case 'entry':
      if (verb === 'moved') return ['entry', 'site'];
      if (!['published', 'unpublished', 'deleted'].includes(verb)) return [];
      return isPage(data, catalog) ? ['entry', 'type', 'site'] : ['entry', 'type'];
    case 'media':
      return ['media'];
    case 'content_type':
      return ['type', 'project'];
    case 'redirect':
      return ['site'];
    case 'tree':
      // The entry of a node is published or not, and says so itself.
      return verb !== 'node_moved' && textIn(data, 'entryId') !== undefined ? [] : ['site'];
    case 'site':
      return ['site', 'project'];
    case 'locale':
      return ['project'];
    case 'environment':
      return verb === 'created' ? [] : ['project'];
    default:
      return [];
  }
}

/** Keys to purge (rule delivery/caching). */
function keysOf({ type, payload }: QueuedEvent, catalog: Catalog): string[] {
  const { data, project } = payload;
  const siteIds = Array.isArray(data.siteIds) ? (data.siteIds as unknown[]) : [data.siteId];
  const sites = siteIds.flatMap((id) => (typeof id === 'string' ? (catalog.site(id)?.slug ?? []) : []));
  const slug = type.startsWith('site.') ? textIn(data, 'slug') : undefined;
  const keyed = (kind: keyof typeof surrogateKeys, value: string | undefined) =>
    value === undefined ? [] : [surrogateKeys[kind](value)];
  const keys: Readonly<Record<Purged, readonly string[]>> = {
    entry: (['entry', 'shortEntry'] as const).flatMap((kind) => keyed(kind, textIn(data, 'entryId'))),
    media: (['media', 'shortMedia'] as const).flatMap((kind) => keyed(kind, textIn(data, 'assetId'))),
    type: keyed('type', textIn(data, 'contentTypeApiName')),
    site: [...new Set([...sites, ...(slug === undefined ? [] : [slug])])].map(surrogateKeys.site),
    project: [surrogateKeys.project(project.slug)],
  };
  return purgedBy(type, data, catalog).flatMap((kind) => keys[kind]);
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
async function eventBodies(
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
    const { id, type, sequence, payload } = event;
    const { project, environment, actor, timestamp, cause = null, data, requestId, traceParent } = payload;
    const entry = entries.get(id);
    const body = {
      id,
      type,
      sequence,
      timestamp,
      project,
      environment,
      actor,
      cause,
      data: {
        ...data,
        ...(about.has(id) && { path: pathOf(event, paths.get(id), catalog) }),
        surrogateKeys: keysOf(event, catalog),
        ...(entry !== undefined && isSmall(entry) && { entry }),
      },
    };
    return { id, body, requestId: requestId ?? null, traceParent };
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

/** Events per transaction. */
export const FAN_OUT_EVENTS = 100;

interface Match {
  readonly webhook: WebhookRow;
  readonly events: readonly QueuedEvent[];
}

const singleDeliveries = (work: UnitOfWork, { webhook, events }: Match): NewDelivery[] =>
  events.map(({ id, type }) => ({
    id: work.newId(),
    webhookId: webhook.id,
    eventType: type,
    eventIds: [id],
    nextAttemptAt: work.now,
  }));

/** Full batches are due at once, the rest when the window ends. */
async function addToBatches(work: UnitOfWork, { webhook, events }: Match): Promise<NewDelivery[]> {
  const deliveries = work.use(DeliveryRepository);
  const open = await deliveries.collecting(webhook.id);
  const ids = [...(open?.eventIds ?? []), ...events.map(({ id }) => id)];
  const chunks = Array.from({ length: Math.ceil(ids.length / limits.webhookBatchEvents) }, (_, index) =>
    ids.slice(index * limits.webhookBatchEvents, (index + 1) * limits.webhookBatchEvents),
  );
  const isFull = (chunk: readonly string[]) => chunk.length === limits.webhookBatchEvents;
  const [first] = chunks;
  if (open !== undefined && first !== undefined) {
    await deliveries.collect(open.id, first, isFull(first));
    chunks.shift();
  }
  const until = new Date(work.now.getTime() + webhook.batchWindowSeconds * 1000);
  return chunks.map((eventIds) => ({
    id: work.newId(),
    webhookId: webhook.id,
    eventType: BATCH,
    eventIds,
    nextAttemptAt: isFull(eventIds) ? work.now : until,
    collectsUntil: isFull(eventIds) ? null : until,
  }));
}

async function writeDeliveries(work: UnitOfWork, matches: readonly Match[]): Promise<void> {
  const matched = [...new Set(matches.flatMap(({ events }) => events))];
  const full = matches.filter(({ webhook }) => webhook.payload === 'full').flatMap(({ events }) => events);
  const deliveries = work.use(DeliveryRepository);
  await deliveries.insertBodies(await eventBodies(work, matched, new Set(full.map(({ id }) => id))));
  const made = matches.filter(({ webhook }) => webhook.batchWindowSeconds === 0);
  const rows = made.flatMap((match) => singleDeliveries(work, match));
  for (const match of matches.filter(({ webhook }) => webhook.batchWindowSeconds > 0))
    rows.push(...(await addToBatches(work, match)));
  await deliveries.insertAll(rows);
}

export interface FannedOut {
  readonly events: number;
  /** Whether a webhook of the project is enabled, and so may have deliveries that are due. */
  readonly hasWebhooks: boolean;
}

/**
 * Moves the oldest events from the outbox to a delivery per matching webhook, and notifies the users whom they concern, in
 * one transaction.
 */
export async function fanOut(work: UnitOfWork): Promise<FannedOut> {
  const outbox = work.use(OutboxRepository);
  const events = await outbox.take(FAN_OUT_EVENTS);
  if (events.length === 0) return { events: 0, hasWebhooks: false };
  const webhooks = await work.use(WebhookRepository).listReceiving();
  const matches = webhooks
    .map((webhook) => ({ webhook, events: events.filter((event) => matchesWebhook(webhook, event)) }))
    .filter((match) => match.events.length > 0)
    // A fixed order prevents deadlocks between processes.
    .sort((a, b) => (a.webhook.id < b.webhook.id ? -1 : 1));
  if (matches.length > 0) await writeDeliveries(work, matches);
  await notifyOfEvents(work, events);
  await outbox.remove(events.map(({ id }) => id));
  return { events: events.length, hasWebhooks: webhooks.length > 0 };
}
