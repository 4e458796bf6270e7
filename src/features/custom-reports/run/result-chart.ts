import type { CustomReportResult } from '../../../../contracts/resources/custom-report.js';
import type { Chart, Point } from '../../reports/index.js';
import type { ReportPlan } from '../sources/source.js';

/** The first metric with numbers, by the first group along the axis and the second by colour; without groups, all metrics. */
export function resultChart(
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
