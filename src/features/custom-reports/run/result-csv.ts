import type { CustomReport, CustomReportResult } from '../../../../contracts/resources/custom-report.js';
import { csvOf } from '../../reports/index.js';

/** Groups are shown by their labels; keys whose labels are names have another column with their values. */
const isNamed = (key: string): boolean =>
  key.endsWith('Id') || key === 'createdBy' || key === 'contentTypeApiName';

interface CsvFile {
  readonly csv: string;
  readonly fileName: string;
}

/** The groups as a table; the totals if there is no group. */
export function resultCsv(
  { name }: Pick<CustomReport, 'name'>,
  { groupBy, metrics, rows, totals }: CustomReportResult,
): CsvFile {
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
  return { csv: csvOf(columns, groupBy.length === 0 ? [totals] : records), fileName: `${name}.csv` };
}
