import type { CustomReportResult } from '../../../../contracts/resources/custom-report.js';
import { csvOf } from '../../reports/index.js';

/** Groups are shown by their labels; keys whose labels are names have another column with their values. */
const isNamed = (key: string): boolean =>
  key.endsWith('Id') || key === 'createdBy' || key === 'contentTypeApiName';

/** The groups as a table; the totals if there is no group. */
export function resultCsv({ groupBy, metrics, rows, totals }: CustomReportResult): string {
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
