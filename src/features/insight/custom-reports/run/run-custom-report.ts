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
import { fileOf, type Chart, type ReportBounds } from '../../reports/index.js';
import { withKnownTypes } from '../../../shared/known-types.js';
import { presentCustomReport } from '../definition/custom-reports.js';
import { CustomReportRepository } from '../definition/custom-report.repository.js';
import { GroupCountRepository, type GroupCounts } from './group-counts.repository.js';
import { groupLabels, type GroupOf, orderRows, resultChart, resultCsv } from './present-result.js';
import { isTime, metricName, planReport } from '../plan/plan-report.js';

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
