import { limits } from '../../../contracts/limits.js';
import type { calendar } from '../../../contracts/management/calendar.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { CalendarFeed } from '../../../contracts/resources/calendar-item.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { calendarFeed } from './calendar-feed.js';
import { CalendarRepository } from './calendar.repository.js';
import { filtersOf } from './list-calendar.js';

const DAY = 86_400_000;

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
