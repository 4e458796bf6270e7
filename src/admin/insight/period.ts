import { dayValue } from '../ui/search-values.js';
import { daysAfter, isTimeZone, ownTimeZone, startOfDay, today } from '../ui/time-zone.js';

export const periodDays = [7, 30, 90, 365] as const;
export const granularities = ['day', 'week', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/** As it is in the address: the last days, or from one day to another, both inclusive. */
export interface Period {
  readonly days?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly granularity?: Granularity | undefined;
  readonly timezone?: string | undefined;
}

export const DEFAULT_DAYS = 30;

export const readPeriod = (search: Record<string, unknown>): Period => ({
  days: periodDays.find((one) => one === Number(search.days)),
  from: dayValue(search.from),
  to: dayValue(search.to),
  granularity: granularities.find((one) => one === search.granularity),
  timezone: typeof search.timezone === 'string' && isTimeZone(search.timezone) ? search.timezone : undefined,
});

export const zoneOf = ({ timezone }: Period): string => timezone ?? ownTimeZone;

/** The days that a period covers. */
export function daysOf(period: Period): { readonly from: string; readonly to: string } {
  const now = today(zoneOf(period));
  if (period.from === undefined) return { from: daysAfter(now, 1 - (period.days ?? DEFAULT_DAYS)), to: now };
  return { from: period.from, to: period.to ?? now };
}

/** As the reports take it. The end is not sent while it is today, so that they include what happens now. */
export function rangeOf(period: Period) {
  const timezone = zoneOf(period);
  const { from, to } = daysOf(period);
  return {
    timezone,
    granularity: period.granularity ?? 'day',
    from: startOfDay(from, timezone),
    ...(to < today(timezone) && { to: startOfDay(daysAfter(to, 1), timezone) }),
  } as const;
}
