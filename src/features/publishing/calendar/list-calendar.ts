import { ICalCalendar, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { invalidInput } from '../../../../contracts/errors.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import type { calendar } from '../../../../contracts/publishing/calendar/calendar.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type {
  CalendarItem,
  CalendarFeedUrl,
  CalendarFeed,
} from '../../../../contracts/publishing/calendar/calendar-item.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { FeedTokens } from '../../../access/signed-token.js';
import { withinKey } from '../../shared/key-reach.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { CalendarRepository, type CalendarQuery, type StoredItem } from './calendar.repository.js';

const DAY = 86_400_000;

interface Range {
  readonly from: Date;
  readonly to: Date;
}

/** @throws AppError 422 for a range that is empty or too long */
function rangeOf(now: Date, given: { from?: string | undefined; to?: string | undefined }): Range {
  const from = new Date(given.from ?? now.getTime() - 30 * DAY);
  const to = new Date(given.to ?? now.getTime() + 60 * DAY);
  const days = (to.getTime() - from.getTime()) / DAY;
  if (days > 0 && days <= limits.calendarDays) return { from, to };
  const message = `The range must be positive and at most ${String(limits.calendarDays)} days.`;
  throw invalidInput({ path: [given.to === undefined ? 'from' : 'to'], code: 'invalid_range', message });
}

type Filters = {
  [Name in 'siteId' | 'locale' | 'kind' | 'status']?: InputOf<typeof calendar.list>[Name] | undefined;
};

const filtersOf = (given: Filters): Omit<CalendarQuery, 'from' | 'to'> => ({
  siteIds: given.siteId ?? null,
  locales: given.locale ?? null,
  kinds: given.kind ?? null,
  statuses: given.status ?? null,
});

const presentItem = ({
  scheduledAt,
  completedAt,
  error,
  updatedAt: _updatedAt,
  ...item
}: StoredItem): CalendarItem => ({
  ...item,
  scheduledAt: scheduledAt.toISOString(),
  completedAt: completedAt?.toISOString() ?? null,
  error: error && { code: error.code, message: error.message },
});

export async function listCalendar(
  work: UnitOfWork,
  input: InputOf<typeof calendar.list>,
): Promise<{ data: CalendarItem[]; meta: PageMeta }> {
  const query = { ...rangeOf(work.now, input), ...filtersOf(input) };
  const { limit, page } = input;
  const { items, total } = await work
    .use(CalendarRepository)
    .list(query, { limit, offset: (page - 1) * limit });
  return listEnvelope({ items: items.map(presentItem), total }, input);
}

const SECONDS_BETWEEN_READS = 900;

const verbs: Readonly<Record<StoredItem['kind'], string>> = {
  publish: 'Publish',
  unpublish: 'Unpublish',
  release: 'Release',
  published: 'Published',
  unpublished: 'Unpublished',
};

/** RFC 5545 permits tabs and line feeds only. */
const plain = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ');

function summaryOf({ kind, status, entryTitle, entryId, locale }: StoredItem): string {
  const failed = status === 'failed' ? 'Failed: ' : '';
  const title = entryTitle === '' ? (entryId ?? '') : entryTitle;
  return plain(`${failed}${verbs[kind]} ${title}${locale === null ? '' : ` (${locale})`}`);
}

function descriptionOf({
  contentTypeApiName,
  status,
  timezone,
  entryId,
  releaseId,
  error,
}: StoredItem): string {
  const lines = [
    ...(contentTypeApiName === null ? [] : [`Type: ${contentTypeApiName}`]),
    `Status: ${status}`,
    `Time zone: ${timezone}`,
    entryId === null ? `Release: ${releaseId ?? ''}` : `Entry: ${entryId}`,
    ...(error === null ? [] : [`Error: ${error.code}: ${error.message}`]),
  ];
  return plain(lines.join('\n'));
}

function statusOf({ status, orphaned }: StoredItem): ICalEventStatus {
  if (status === 'canceled') return ICalEventStatus.CANCELLED;
  return orphaned ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}

/**
 * An RFC 5545 calendar with times in UTC. Equal items give equal text, so that it can have an entity tag.
 * @param name of letters, digits and hyphens: the library does not escape it
 */
function calendarFeed(name: string, items: readonly StoredItem[]): string {
  const calendar = new ICalCalendar({
    name,
    prodId: { company: 'Headwater', product: 'Calendar' },
    ttl: SECONDS_BETWEEN_READS,
  });
  for (const item of items) {
    calendar.createEvent({
      id: `${item.id}@headwater`,
      start: item.scheduledAt,
      stamp: item.updatedAt,
      lastModified: item.updatedAt,
      summary: summaryOf(item),
      description: descriptionOf(item),
      categories: [{ name: item.kind }],
      status: statusOf(item),
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  return `${calendar.toString()}\r\n`;
}

interface FeedServices {
  readonly feedTokens: FeedTokens;
  /** Empty when the public URL is unknown. */
  readonly baseUrl: string;
}

/** The same URL for the whole day, so that asking again adds no subscription. */
const expiryOf = (now: Date): Date => {
  const days = Math.floor(now.getTime() / 86_400_000) + limits.calendarFeedDays;
  return new Date(days * 86_400_000);
};

export async function getFeedUrl(
  work: UnitOfWork,
  { projectSlug, ...filters }: InputOf<typeof calendar.feedUrl>,
  { feedTokens, baseUrl }: FeedServices,
): Promise<{ data: CalendarFeedUrl }> {
  const { environment } = (await work.use(CatalogRepository).current()).data;
  const expiresAt = withinKey(work.scope, expiryOf(work.now));
  const { type, id } = work.scope.actor;
  const kind = type === 'api_key' ? 'api_key' : 'user';
  const token = await feedTokens.issue({ environmentId: environment.id, kind, id: id ?? '' }, expiresAt);
  const query = new URLSearchParams({ format: 'ics' });
  for (const [name, values] of Object.entries(filters))
    if (values !== undefined) query.set(name, values.join(','));
  query.set('token', token);
  const path = `/api/v1/projects/${projectSlug}/calendar/feed`;
  return { data: { url: `${baseUrl}${path}?${query.toString()}`, expiresAt: expiresAt.toISOString() } };
}

/** The nearest items of the past and of the future. */
export async function readFeed(
  work: UnitOfWork,
  input: InputOf<typeof calendar.feed>,
): Promise<{ data: CalendarFeed }> {
  const { calendarDays, calendarFeedPastDays, calendarFeedItems: limit } = limits;
  const { now } = work;
  const after = (days: number): Date => new Date(now.getTime() + days * DAY);
  const filters = filtersOf(input);
  const items = work.use(CalendarRepository);
  const past = { ...filters, from: after(-calendarFeedPastDays), to: now };
  const coming = { ...filters, from: now, to: after(calendarDays - calendarFeedPastDays) };
  const found = [
    ...(await items.items(past, { limit, offset: 0, isReversed: true })),
    ...(await items.items(coming, { limit, offset: 0 })),
  ];
  const { project } = (await work.use(CatalogRepository).current()).data;
  return { data: { ics: calendarFeed(project.slug, found), fileName: `${project.slug}.ics` } };
}
