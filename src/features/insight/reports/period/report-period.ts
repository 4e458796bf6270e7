import { Temporal } from 'temporal-polyfill';
import { invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import type { ReportGranularity, ReportRange } from '../../../../../contracts/insight/reports/report.js';

const QUARTER = 900_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const DEFAULT_DAYS = 30;

export interface PeriodInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly granularity: ReportGranularity;
  readonly timezone: string;
}

/** Milliseconds since 1970, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Bucket extends Span {
  /** First day in the time zone. */
  readonly date: string;
}

type Grain = 'quarter' | 'day' | 'hour_total' | 'day_total';

/** Counts of a grain and how long each covers, finest first. */
type Grains = readonly [readonly [Grain, number], ...(readonly [Grain, number])[]];

/** Counts by actor, API key and interface. */
const byActor: Grains = [
  ['quarter', QUARTER],
  ['day', DAY],
];
/** Far fewer hours and days, of all actors together. */
export const grainsOfAll: Grains = [
  ['quarter', QUARTER],
  ['hour_total', HOUR],
  ['day_total', DAY],
];

/** A part of a bucket that the counts of one grain cover. */
export interface Segment extends Span {
  readonly bucket: number;
  readonly grain: Grain;
}

export interface Period extends Span {
  readonly range: ReportRange;
  readonly buckets: readonly Bucket[];
}

const lengths = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } } as const;

/** Weeks start on Monday. */
function startOf(day: Temporal.PlainDate, granularity: ReportGranularity): Temporal.PlainDate {
  if (granularity === 'month') return day.with({ day: 1 });
  return granularity === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day;
}

/** Each starts at the first moment of a local day, whatever the offset of the zone on that day. */
function bucketsOf({ start, end }: Span, granularity: ReportGranularity, timezone: string): Bucket[] {
  const first = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timezone).toPlainDate();
  const beginning = (day: Temporal.PlainDate): number => day.toZonedDateTime(timezone).epochMilliseconds;
  const buckets: Bucket[] = [];
  for (let day = startOf(first, granularity); beginning(day) < end;) {
    const next = day.add(lengths[granularity]);
    const bucket = { start: Math.max(start, beginning(day)), end: Math.min(end, beginning(next)) };
    if (bucket.start < bucket.end) buckets.push({ date: day.toString(), ...bucket });
    day = next;
  }
  return buckets;
}

/**
 * The period in whole quarters of an hour: every offset in use is a multiple of one.
 * @throws AppError 422 if it is empty, too long or not in the calendar
 */
export function periodOf({ from, to, granularity, timezone }: PeriodInput, now: Date): Period {
  const last = to === undefined ? now.getTime() : Date.parse(to);
  const end = Math.ceil(last / QUARTER) * QUARTER;
  const given = from === undefined ? end - DEFAULT_DAYS * DAY : Date.parse(from);
  const start = Math.floor(given / QUARTER) * QUARTER;
  if (start >= end)
    throw invalidInput({ path: ['to'], code: 'invalid_range', message: '`to` must be later than `from`.' });
  if (end - start > (limits.reportDays + 1) * DAY) {
    const message = `A report covers at most ${String(limits.reportDays)} days.`;
    throw invalidInput({ path: ['from'], code: 'too_big', message });
  }
  const iso = (time: number): string => new Date(time).toISOString();
  return {
    start,
    end,
    range: { from: iso(start), to: iso(end), granularity, timezone },
    buckets: bucketsOf({ start, end }, granularity, timezone),
  };
}

/** The span in counts as coarse as its ends allow. */
function partsOf({ start, end }: Span, [[grain], ...coarser]: Grains): Omit<Segment, 'bucket'>[] {
  const [next, ...rest] = coarser;
  const whole = next && {
    start: Math.ceil(start / next[1]) * next[1],
    end: Math.floor(end / next[1]) * next[1],
  };
  if (next === undefined || whole === undefined || whole.start >= whole.end) return [{ grain, start, end }];
  return [
    { grain, start, end: whole.start },
    ...partsOf(whole, [next, ...rest]),
    { grain, start: whole.end, end },
  ];
}

/** Whole days and hours in UTC are read as such, the rest by quarter of an hour. */
export const segmentsOf = (spans: readonly Span[], grains: Grains = byActor): Segment[] =>
  spans
    .flatMap((span, bucket) => partsOf(span, grains).map((part) => ({ bucket, ...part })))
    .filter(({ start, end }) => start < end);
