import { textValue } from '../../ui/search-values.js';

/** Days are those of the browser's time zone, such as `2027-01-31`. */
export type CalendarView = 'month' | 'week';

const DAYS = 7;
const two = (value: number): string => String(value).padStart(2, '0');

export function dayOf(instant: string | number | Date): string {
  const date = new Date(instant);
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const dateOf = (day: string, after = 0): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + after);
};

export const daysAfter = (day: string, count: number): string => dayOf(dateOf(day, count));
export const startOfDay = (day: string): string => dateOf(day).toISOString();
export const today = (): string => dayOf(Date.now());

/** Years of four digits, because others have no place in an address or in the service. */
const isDay = (text: unknown): text is string =>
  typeof text === 'string' && /^[12]\d{3}-\d\d-\d\d$/.test(text) && dayOf(dateOf(text)) === text;

/** Weeks begin on Monday. */
const mondayOf = (day: string): string => daysAfter(day, -((dateOf(day).getDay() + DAYS - 1) % DAYS));

const weekOf = (monday: string): string[] =>
  Array.from({ length: DAYS }, (_, index) => daysAfter(monday, index));

/** Of a month: every week that has one of its days. */
export function weeksOf(view: CalendarView, day: string): readonly (readonly string[])[] {
  if (view === 'week') return [weekOf(mondayOf(day))];
  const month = day.slice(0, 7);
  const weeks: string[][] = [];
  for (let monday = mondayOf(`${month}-01`); monday.slice(0, 7) <= month; monday = daysAfter(monday, DAYS))
    weeks.push(weekOf(monday));
  return weeks;
}

/** A day of the next week or month, or of the one before. */
export function shifted(view: CalendarView, day: string, direction: 1 | -1): string {
  if (view === 'week') return daysAfter(day, direction * DAYS);
  const date = dateOf(`${day.slice(0, 7)}-01`);
  return dayOf(new Date(date.getFullYear(), date.getMonth() + direction, 1));
}

/** The instant on another day, at the same time of the clock. */
export function onDay(instant: string, day: string): string {
  const time = new Date(instant);
  const date = dateOf(day);
  date.setHours(time.getHours(), time.getMinutes(), time.getSeconds(), time.getMilliseconds());
  return date.toISOString();
}

/** For a field of date and time. */
export function localTime(instant: string): string {
  const time = new Date(instant);
  return `${dayOf(time)}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

export const calendarKinds = ['publish', 'unpublish', 'release', 'published', 'unpublished'] as const;
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

/** Of names in the address. */
const NAME = 100;

export const readCalendarSearch = (given: Record<string, unknown>): CalendarSearch => ({
  view: given.view === 'week' ? 'week' : undefined,
  day: isDay(given.day) ? given.day : undefined,
  kind: calendarKinds.find((kind) => kind === given.kind),
  status: jobStatuses.find((status) => status === given.status),
  site: textValue(given.site, NAME),
  locale: textValue(given.locale, NAME),
});
