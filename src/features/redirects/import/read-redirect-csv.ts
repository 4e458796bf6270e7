import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { csvRecords, type CsvRecord } from './csv-records.js';
import { unescapeFormula } from './formula-cells.js';

/** Columns of the CSV format (decisions 2.15), in the order of the export. */
export const csvColumns = [
  'source',
  'target',
  'status',
  'site',
  'locale',
  'matchType',
  'isActive',
  'note',
] as const;
type CsvColumn = (typeof csvColumns)[number];

/** One row: its cells by column, or null where it could not be read. */
export interface CsvRow {
  readonly line: number;
  /** Only columns that the file has. An empty cell is an empty text. */
  readonly cells: Readonly<Partial<Record<CsvColumn, string>>> | null;
  /** Whether there is something behind the last column. */
  readonly isTooLong: boolean;
}

/** A CSV file of redirects. */
export interface RedirectCsv {
  readonly rows: readonly CsvRow[];
  /** Columns that mean nothing here. */
  readonly unknownColumns: readonly string[];
}

const csvError = (code: string, message: string) => invalidInput({ path: ['csv'], code, message });

/** The column of each place in a row; undefined where the header names none of ours. */
function readHeader(header: readonly string[]): (CsvColumn | undefined)[] {
  const columns = header.map((cell) =>
    csvColumns.find((column) => column.toLowerCase() === cell.trim().toLowerCase()),
  );
  const known = columns.filter((column) => column !== undefined);
  const twice = known.find((column, index) => known.indexOf(column) !== index);
  if (twice !== undefined) throw csvError('duplicate_column', `The column "${twice}" appears twice.`);
  const missing = (['source', 'target'] as const).find((column) => !known.includes(column));
  if (missing !== undefined)
    throw csvError('missing_column', `The first row names the columns; "${missing}" is not among them.`);
  return columns;
}

function rowOf({ line, cells }: CsvRecord, columns: readonly (CsvColumn | undefined)[]): CsvRow {
  if (cells === null) return { line, cells: null, isTooLong: false };
  const named = columns.flatMap((column, index) => {
    const cell = unescapeFormula(cells[index] ?? '');
    // A note is kept as it is; nothing else begins or ends with spaces.
    return column === undefined ? [] : [[column, column === 'note' ? cell : cell.trim()] as const];
  });
  return {
    line,
    cells: Object.fromEntries(named),
    isTooLong: cells.slice(columns.length).some((cell) => cell !== ''),
  };
}

/**
 * Reads a CSV file of redirects.
 * @throws AppError 422 `validation_failed` with the issue codes missing_column, duplicate_column, too_big, invalid_csv
 */
export function readRedirectCsv(csv: string): RedirectCsv {
  const [header, ...records] = csvRecords(csv, limits.redirectImportRows + 2);
  if (!header?.cells) throw csvError('missing_column', 'The first row names the columns.');
  if (records.length > limits.redirectImportRows)
    throw csvError('too_big', `A file has at most ${limits.redirectImportRows} rows.`);
  const columns = readHeader(header.cells);
  // Spreadsheets leave rows of nothing but commas behind.
  const filled = records.filter(({ cells }) => cells?.every((cell) => cell === '') !== true);
  return {
    rows: filled.map((record) => rowOf(record, columns)),
    unknownColumns: header.cells.filter((cell, index) => columns[index] === undefined && cell.trim() !== ''),
  };
}
