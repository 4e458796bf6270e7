import { limits } from '../../../../../contracts/limits.js';
import type { customReports } from '../../../../../contracts/insight/custom-reports/custom-reports.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type {
  CustomReport,
  CustomReportMeta,
  CustomReportResult,
} from '../../../../../contracts/insight/custom-reports/custom-report.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import {
  fileOf,
  type Chart,
  type ReportBounds,
  KeyUsageReportRepository,
  UserNameRepository,
  type Point,
  csvOf,
} from '../../reports/index.js';
import { withKnownTypes } from '../../../shared/known-types.js';
import { presentCustomReport } from '../definition/custom-reports.js';
import { CustomReportRepository } from '../definition/custom-report.repository.js';
import { GroupCountRepository, type GroupCounts } from './group-counts.repository.js';
import { isTime, metricName, planReport } from '../plan/plan-report.js';
import { compareTexts } from '../../../../infrastructure/text-order.js';
import type { Catalog } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { readableValues } from '../../../../access/grants.js';
import type { ReportPlan } from '../sources/source.js';

interface Group {
  readonly value: string | boolean | null;
  readonly label: string;
}

type GroupOf = (key: string, stored: string | null) => Group;

/** Keys whose values are ids of users or API keys. */
const actorKeys: ReadonlySet<string> = new Set(['actorId', 'createdBy', 'assigneeId', 'apiKeyId']);

/** Names of users and keys that the caller may see. */
async function namesOf(work: UnitOfWork, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const users = await work.use(UserNameRepository).names(ids);
  const siteIds = readableValues(work.scope, 'reports', 'siteIds');
  const keys = await work.use(KeyUsageReportRepository).keys(siteIds);
  return new Map([...keys.map(({ id, name }) => [id, name] as const), ...users]);
}

/** Turns stored values of groups into those of the answer: API names for types, dates for buckets, names for ids. */
async function groupLabels(
  work: UnitOfWork,
  { plan, catalog }: { readonly plan: ReportPlan; readonly catalog: Catalog },
  rows: readonly { readonly groups: readonly (string | null)[] }[],
): Promise<GroupOf> {
  const positions = plan.groupBy.flatMap((key, position) => (actorKeys.has(key) ? [position] : []));
  const ids = new Set(
    rows.flatMap(({ groups }) => positions.map((position) => groups[position] ?? [])).flat(),
  );
  const names = await namesOf(work, [...ids]);
  return (key, stored) => {
    if (stored === null) return { value: null, label: 'None' };
    if (key === 'contentTypeApiName') {
      const type = catalog.contentTypeById(stored);
      return { value: type?.apiName ?? stored, label: type?.name ?? stored };
    }
    if (key === 'date') {
      const date = plan.period?.buckets[Number(stored)]?.date ?? stored;
      return { value: date, label: date };
    }
    if (key === 'siteId') return { value: stored, label: catalog.site(stored)?.name ?? stored };
    const field = plan.fields.get(key);
    if (field !== undefined && kindOf(field).comparison === 'boolean')
      return { value: stored === 'true', label: stored };
    return { value: stored, label: names.get(stored) ?? stored };
  };
}

type ResultRow = CustomReportResult['rows'][number];

const dateOf = ({ groups }: ResultRow): string => String(groups.date?.value ?? '');
const labelsOf = ({ groups }: ResultRow): string =>
  Object.values(groups)
    .map(({ label, value }) => `${label}\n${String(value ?? '')}`)
    .join('\n');

const compare = <T extends string | number>(a: T, b: T): number => Number(a > b) - Number(a < b);

/** By date, then in the given order, of which rows with equal first values are ordered by their labels. */
function orderRows(rows: readonly ResultRow[]): ResultRow[] {
  const ranked: { row: ResultRow; rank: number; labels: string }[] = [];
  for (const row of rows) {
    const previous = ranked.at(-1);
    const isEqual =
      previous !== undefined && Object.values(previous.row.values)[0] === Object.values(row.values)[0];
    ranked.push({ row, rank: isEqual ? previous.rank : ranked.length, labels: labelsOf(row) });
  }
  return ranked
    .sort(
      (a, b) =>
        compare(dateOf(a.row), dateOf(b.row)) || compare(a.rank, b.rank) || compareTexts(a.labels, b.labels),
    )
    .map(({ row }) => row);
}

/** The first metric with numbers, by the first group along the axis and the second by colour; without groups, all metrics. */
function resultChart(
  title: string,
  { groupBy, metrics, chart, totals, rows }: CustomReportResult,
  { period }: ReportPlan,
): Chart {
  const kind = chart === 'table' ? 'bar' : chart;
  if (groupBy.length === 0) {
    const points = metrics.flatMap((name): Point[] => pointOf(totals[name], { x: name, series: name }));
    return { title, kind, isDated: false, points };
  }
  const metric = metrics.find((name) => rows.some(({ values }) => typeof values[name] === 'number')) ?? '';
  const isDated = kind === 'line' && groupBy.includes('date');
  const [along = '', other] = isDated ? ['date', ...groupBy.filter((key) => key !== 'date')] : groupBy;
  const points = rows.flatMap(({ groups, values }) => {
    const labels = [along, other ?? ''].map((key) => groups[key]?.label);
    const x = kind === 'pie' ? labels.filter((label) => label !== undefined).join(', ') : (labels[0] ?? '');
    return pointOf(values[metric], { x, series: labels[1] ?? metric });
  });
  const isSum = metric === 'count' || metric.startsWith('sum(');
  if (!isDated || !isSum || period === null) return { title, kind, isDated, points };
  const dates = period.buckets.map(({ date }) => date);
  return { title, kind, isDated, points: withZeros(points, dates) };
}

const pointOf = (value: unknown, place: Omit<Point, 'y'>): Point[] =>
  typeof value === 'number' ? [{ ...place, y: value }] : [];

/** A point for every date, so that lines fall to zero where nothing was counted. */
function withZeros(points: readonly Point[], dates: readonly string[]): Point[] {
  const known = new Map(points.map((point) => [`${point.x} ${point.series}`, point]));
  const series = [...new Set(points.map((point) => point.series))];
  return dates.flatMap((x) =>
    series.map((name): Point => known.get(`${x} ${name}`) ?? { x, series: name, y: 0 }),
  );
}

/** Groups are shown by their labels; keys whose labels are names have another column with their values. */
const isNamed = (key: string): boolean =>
  key.endsWith('Id') || key === 'createdBy' || key === 'contentTypeApiName';

/** The groups as a table; the totals if there is no group. */
function resultCsv({ groupBy, metrics, rows, totals }: CustomReportResult): string {
  const columns = [...groupBy.flatMap((key) => (isNamed(key) ? [key, `${key} name`] : [key])), ...metrics];
  const records = rows.map(({ groups, values }) => {
    const shown = groupBy.flatMap((key) => {
      const { value = null, label = '' } = groups[key] ?? {};
      return [
        [key, value],
        [`${key} name`, label],
      ] as const;
    });
    return { ...Object.fromEntries(shown), ...values };
  });
  return csvOf(columns, groupBy.length === 0 ? [totals] : records);
}

type Values = CustomReportResult['totals'];

/** Sums beyond the numbers of JSON have no value. */
function valueOf(text: string | null | undefined, isTimestamp: boolean): Values[string] {
  if (text === null || text === undefined) return null;
  if (isTimestamp) return new Date(text).toISOString();
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

function valuesOf({ metrics }: CustomReport, texts: readonly (string | null)[]): Values {
  const values = metrics.map((metric, position) => [
    metricName(metric),
    valueOf(texts[position], metric.op === 'max' && isTime(metric)),
  ]);
  return Object.fromEntries(values) as Values;
}

function rowsOf(report: CustomReport, { rows }: GroupCounts, groupOf: GroupOf): CustomReportResult['rows'] {
  if (report.groupBy.length === 0) return [];
  const shown = rows.map(({ groups, values }) => ({
    groups: Object.fromEntries(
      report.groupBy.map((key, position) => [key, groupOf(key, groups[position] ?? null)]),
    ),
    values: valuesOf(report, values),
  }));
  return orderRows(shown);
}

/** @throws AppError as a creation does, where sites, types or fields no longer exist; 422 `report_too_large` */
export async function runCustomReport(
  work: UnitOfWork,
  { id, format, theme, ...overrides }: InputOf<typeof customReports.run>,
  { customMs }: ReportBounds,
): Promise<{ data: CustomReportResult; meta: CustomReportMeta }> {
  const stored = presentCustomReport(await work.use(CustomReportRepository).find(id));
  const filters = withKnownTypes(await work.use(CatalogRepository).current(), stored.filters);
  const report = { ...stored, filters };
  const opened = await planReport(work, report, overrides);
  const counts = await work.use(GroupCountRepository).counts(opened.plan, customMs);
  const rows = rowsOf(report, counts, await groupLabels(work, opened, counts.rows));
  const result: CustomReportResult = {
    range: opened.plan.period?.range ?? null,
    groupBy: report.groupBy,
    metrics: report.metrics.map(metricName),
    chart: report.chart,
    totals: valuesOf(report, counts.totals),
    rows,
  };
  const csv = (): string => resultCsv(result);
  const chart = (): Chart => resultChart(report.name, result, opened.plan);
  return {
    data: { ...result, ...(await fileOf({ format, theme }, { name: report.name, csv, chart })) },
    meta: { groups: counts.groups, truncated: counts.groups > limits.customReportRows },
  };
}
