import { limits } from '../../../contracts/limits.js';
import type { calendar } from '../../../contracts/management/calendar.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { CalendarFeedUrl } from '../../../contracts/resources/calendar-item.js';
import type { FeedTokens } from '../../access/feed-token.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { withinKey } from '../shared/index.js';
import { CatalogRepository } from '../catalog/index.js';

export interface FeedServices {
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
