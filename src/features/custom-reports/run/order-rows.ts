import type { CustomReportResult } from '../../../../contracts/resources/custom-report.js';

type Row = CustomReportResult['rows'][number];

const dateOf = ({ groups }: Row): string => String(groups.date?.value ?? '');
const labelsOf = ({ groups }: Row): string =>
  Object.values(groups)
    .map(({ label, value }) => `${label}\n${String(value ?? '')}`)
    .join('\n');

const compare = <T extends string | number>(a: T, b: T): number => Number(a > b) - Number(a < b);

/** By date, then in the given order, of which rows with equal first values are ordered by their labels. */
export function orderRows(rows: readonly Row[]): Row[] {
  const ranked: { row: Row; rank: number; labels: string }[] = [];
  for (const row of rows) {
    const previous = ranked.at(-1);
    const isEqual =
      previous !== undefined && Object.values(previous.row.values)[0] === Object.values(row.values)[0];
    ranked.push({ row, rank: isEqual ? previous.rank : ranked.length, labels: labelsOf(row) });
  }
  return ranked
    .sort(
      (a, b) =>
        compare(dateOf(a.row), dateOf(b.row)) || compare(a.rank, b.rank) || compare(a.labels, b.labels),
    )
    .map(({ row }) => row);
}
