import { invalidInput } from '../../../../../contracts/errors.js';
import type {
  CustomReport,
  CustomReportMetric,
  CustomReportSource,
} from '../../../../../contracts/insight/custom-reports/custom-report.js';
import type { FieldDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';

/** Fields of a source that a metric can have. Those of entries also sum, average and compare their numbers. */
const times: Readonly<Record<CustomReportSource, readonly string[]>> = {
  entries: ['createdAt', 'updatedAt', 'publishedAt'],
  audit: ['at'],
  publishing: ['at'],
  agents: ['at'],
  translations: ['updatedAt'],
};
const sums = ['calls', 'reads', 'writes', 'errors', 'rateLimited'];

/** Such as `count` and `sum(fields.price)`. */
export const metricName = ({ op, field }: CustomReportMetric): string =>
  op === 'count' ? op : `${op}(${field ?? ''})`;

export const isTime = ({ field = '' }: CustomReportMetric): boolean =>
  Object.values(times).some((names) => names.includes(field));

function accepts(
  source: CustomReportSource,
  { op, field }: CustomReportMetric,
  fields: ReadonlyMap<string, FieldDefinition>,
): boolean {
  if (op === 'count' || field === undefined) return op === 'count' && field === undefined;
  if (op === 'max' && times[source].includes(field)) return true;
  if (source === 'agents') return op === 'sum' && sums.includes(field);
  const definition = fields.get(field);
  return definition !== undefined && kindOf(definition).comparison === 'number';
}

/** @throws AppError 422 for a metric that the source does not have, or a repeated one */
export function checkMetrics(
  { source, metrics }: Pick<CustomReport, 'source' | 'metrics'>,
  fields: ReadonlyMap<string, FieldDefinition>,
): void {
  const names = metrics.map(metricName);
  metrics.forEach((metric, index) => {
    const path = ['metrics', index, 'field'];
    if (!accepts(source, metric, fields))
      throw invalidInput({
        path,
        code: 'invalid_metric',
        message: `${source} cannot calculate ${metricName(metric)}${metric.op === 'count' ? ' of a field' : ''}.`,
      });
    if (names.indexOf(metricName(metric)) !== index)
      throw invalidInput({ path: ['metrics', index], code: 'duplicate', message: 'The metric is repeated.' });
  });
}
