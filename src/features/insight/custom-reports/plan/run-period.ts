import type { CustomReport } from '../../../../../contracts/insight/custom-reports/custom-report.js';
import { periodOf, type Period, type PeriodInput } from '../../reports/index.js';

const DAY = 86_400_000;

/** Replaces parts of the range of a definition. */
export type RangeInput = { readonly [Key in keyof PeriodInput]?: PeriodInput[Key] | undefined };

/** Sources whose rows have no end: without a range, all are counted. */
const present: ReadonlySet<string> = new Set(['entries', 'translations']);

/**
 * Null if everything is counted as it is now.
 * @throws AppError 422 as {@link periodOf}
 */
export function periodOfRange(
  { source, groupBy, range }: Pick<CustomReport, 'source' | 'groupBy' | 'range'>,
  { from, to, granularity, timezone }: RangeInput,
  now: Date,
): Period | null {
  const isLimited = range !== null || from !== undefined || to !== undefined;
  if (!isLimited && present.has(source) && !groupBy.includes('date')) return null;
  const end = to ?? range?.to ?? now.toISOString();
  const start =
    from ??
    range?.from ??
    (range?.days === undefined ? undefined : new Date(Date.parse(end) - range.days * DAY).toISOString());
  return periodOf(
    {
      from: start,
      to: end,
      granularity: granularity ?? range?.granularity ?? 'day',
      timezone: timezone ?? range?.timezone ?? 'UTC',
    },
    now,
  );
}
