import type { z } from 'zod';
import type { reportFormats } from '../../../../contracts/resources/report.js';
import { csvOf } from './report-csv.js';

export type ReportFormat = (typeof reportFormats)[number];

interface FileKeys {
  csv?: string | undefined;
  fileName?: string | undefined;
}

interface TableShape {
  readonly name: string;
  readonly shape: z.ZodObject<{ rows: z.ZodArray<z.ZodObject> }>;
}

/** Adds the requested file to the report; its columns are the keys of a row. */
export function withFile<D extends FileKeys & { readonly rows: readonly object[] }>(
  data: D,
  format: ReportFormat,
  { name, shape }: TableShape,
): D {
  if (format === 'json') return data;
  const columns = Object.keys(shape.shape.rows.element.shape);
  return { ...data, csv: csvOf(columns, data.rows as Record<string, unknown>[]), fileName: `${name}.csv` };
}
