import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../../routing/redirects/index.js';
import type { z } from 'zod';
import type { reportFormats, ReportTheme } from '../../../../../contracts/insight/reports/report.js';
import type { Chart } from '../charts/chart.js';
import { drawChart } from '../charts/draw-chart.js';

type FileRow = Readonly<Record<string, unknown>>;

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
export function csvOf(columns: readonly string[], rows: readonly FileRow[]): string {
  const records = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return stringify([columns.map(cellOf), ...records], {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: escapeFormula },
  });
}

interface FileInput {
  readonly format: (typeof reportFormats)[number];
  readonly theme: ReportTheme;
}

interface FileKeys {
  csv?: string | undefined;
  svg?: string | undefined;
  fileName?: string | undefined;
}

interface Drawn {
  readonly name: string;
  readonly csv: () => string;
  readonly chart: () => Chart;
}

/** The requested file of a report; nothing for JSON. */
export async function fileOf({ format, theme }: FileInput, { name, csv, chart }: Drawn): Promise<FileKeys> {
  if (format === 'csv') return { csv: csv(), fileName: `${name}.csv` };
  if (format === 'svg') return { svg: await drawChart(chart(), theme), fileName: `${name}.svg` };
  return {};
}

interface TableShape {
  readonly name: string;
  readonly shape: z.ZodObject<{ rows: z.ZodArray<z.ZodObject> }>;
  readonly chart: () => Chart;
}

/** Adds the requested file to the report; its columns are the keys of a row. */
export async function withFile<D extends FileKeys & { readonly rows: readonly object[] }>(
  data: D,
  input: FileInput,
  { name, shape, chart }: TableShape,
): Promise<D> {
  const columns = Object.keys(shape.shape.rows.element.shape);
  const csv = (): string => csvOf(columns, data.rows as Record<string, unknown>[]);
  return { ...data, ...(await fileOf(input, { name, csv, chart })) };
}
