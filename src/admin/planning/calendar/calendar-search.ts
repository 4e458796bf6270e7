import { isDay, type CalendarView } from './days.js';
import { textValue } from '../../ui/search-values.js';

export const calendarKinds = ['publish', 'unpublish', 'published', 'unpublished'] as const;
export const jobStatuses = ['scheduled', 'succeeded', 'failed', 'canceled'] as const;

/** What the calendar shows, which is in the address. */
export interface CalendarSearch {
  readonly view?: Extract<CalendarView, 'week'> | undefined;
  readonly day?: string | undefined;
  readonly kind?: (typeof calendarKinds)[number] | undefined;
  readonly status?: (typeof jobStatuses)[number] | undefined;
  readonly site?: string | undefined;
  readonly locale?: string | undefined;
}

const text = (value: unknown) => textValue(value, 100);

export const readCalendarSearch = (given: Record<string, unknown>): CalendarSearch => ({
  view: given.view === 'week' ? 'week' : undefined,
  day: isDay(given.day) ? given.day : undefined,
  kind: calendarKinds.find((kind) => kind === given.kind),
  status: jobStatuses.find((status) => status === given.status),
  site: text(given.site),
  locale: text(given.locale),
});
