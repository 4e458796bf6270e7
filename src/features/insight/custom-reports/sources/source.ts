import type {
  CustomReportMetric,
  CustomReportSource,
} from '../../../../../contracts/insight/custom-reports/custom-report.js';
import type { FieldDefinition } from '../../../../content/catalog.js';
import type { WorkScope } from '../../../../persistence/work/unit-of-work.js';
import type { Bind, Period, ReportFilter } from '../../reports/index.js';

/** A checked definition. */
export interface ReportPlan {
  readonly source: CustomReportSource;
  readonly groupBy: readonly string[];
  readonly metrics: readonly CustomReportMetric[];
  /** Sites, locales and types. */
  readonly filter: ReportFilter;
  /** The other filters: values by key. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Null for everything as it is now. */
  readonly period: Period | null;
  /** Fields of entries that groups, filters and metrics name, by key. */
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  /** API keys that the caller sees; of the source `agents`. */
  readonly keyIds: readonly string[];
}

export interface SqlContext {
  readonly plan: ReportPlan;
  readonly value: Bind;
  readonly scope: WorkScope;
  readonly projectId: string;
  readonly environmentId: string;
  /** Number of the last audit record in the counts of activity. */
  readonly counted: string;
}

/** Rows of a source as SQL; their alias is `r`. */
export interface SourceSql {
  /** Common table expressions, without `WITH`. */
  readonly tables?: string;
  /** `FROM` and `WHERE`. */
  readonly from: string;
  /** Text for each key; `date` is the position of the bucket. */
  readonly columns: Readonly<Record<string, string>>;
  /** How many items a row counts. */
  readonly weight: string;
  /** Numbers and times for each field of a metric. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The keys of places, which name what exists. */
export const placeKeys: readonly string[] = ['siteId', 'locale', 'contentTypeApiName'];

/** Whether the plan reads nothing but counters by these keys. */
export function readsCounters(
  { groupBy, values, metrics, period }: ReportPlan,
  keys: readonly string[],
): boolean {
  return (
    period === null &&
    metrics.every(({ op }) => op === 'count') &&
    [...groupBy, ...values.keys()].every((key) => keys.includes(key))
  );
}

/** Conditions of the filters by columns. */
export function matching(
  { values }: Pick<ReportPlan, 'values'>,
  columns: SourceSql['columns'],
  value: Bind,
): string[] {
  return [...values].map(([key, list]) => `${columns[key] ?? 'NULL'} = ANY(${value(list)}::text[])`);
}

/** Position of the bucket that a time is in. */
export function bucketSql({ period }: ReportPlan, time: string, value: Bind): string {
  const starts = period?.buckets.map(({ start }) => new Date(start)) ?? [];
  return `(width_bucket(${time}, ${value(starts)}::timestamptz[]) - 1)::text`;
}

export function inPeriod({ period }: ReportPlan, time: string, value: Bind): string[] {
  if (period === null) return [];
  const { start, end } = period;
  return [`${time} >= ${value(new Date(start))} AND ${time} < ${value(new Date(end))}`];
}
