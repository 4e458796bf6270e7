import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../redirects/index.js';

type Row = Readonly<Record<string, unknown>>;

/** Lists are joined, objects are shown by their name. */
function cellOf(value: unknown): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(cellOf).join('; ');
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const { name, ...rest } = value as { name?: unknown };
  return name === undefined ? Object.values(rest).map(cellOf).join(' ') : cellOf(name);
}

/** RFC 4180; cells that a spreadsheet would run as a formula start with an apostrophe. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const records = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return stringify([columns.map(cellOf), ...records], {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: escapeFormula },
  });
}
