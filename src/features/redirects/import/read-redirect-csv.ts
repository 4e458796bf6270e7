import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { Turns } from '../../../infrastructure/turns.js';
import { csvRecords, type CsvRecord } from './csv-records.js';
import { unescapeFormula } from './formula-cells.js';

/** In export order (decisions 2.15). */
export const csvColumns = [
  'source',
  'target',
  'status',
  'site',
  'locale',
  'matchType',
  'queryMatch',
  'isActive',
  'note',
] as const;
type CsvColumn = (typeof csvColumns)[number];

/** Null cells: the row is malformed. */
export interface CsvRow {
  readonly line: number;
  /** Only columns in the file; an empty cell is an empty string. */
  readonly cells: Readonly<Partial<Record<CsvColumn, string>>> | null;
  /** Whether it has cells beyond the last column. */
  readonly isTooLong: boolean;
}

export interface RedirectCsv {
  readonly rows: readonly CsvRow[];
  /** Ignored columns. */
  readonly unknownColumns: readonly string[];
}

const csvError = (code: string, message: string) => invalidInput({ path: ['csv'], code, message });

/** Columns by index; undefined if unknown. */
function readHeader(header: readonly string[]): (CsvColumn | undefined)[] {
  const columns = header.map((cell) =>
    csvColumns.find((column) => column.toLowerCase() === cell.trim().toLowerCase()),
  );
  const known = columns.filter((column) => column !== undefined);
  const twice = known.find((column, index) => known.indexOf(column) !== index);
  if (twice !== undefined) throw csvError('duplicate_column', `The column "${twice}" appears twice.`);
  const missing = (['source', 'target'] as const).find((column) => !known.includes(column));
  if (missing !== undefined)
    throw csvError('missing_column', `The first row must name the columns. "${missing}" is missing.`);
  return columns;
}

function rowOf({ line, cells }: CsvRecord, columns: readonly (CsvColumn | undefined)[]): CsvRow {
  if (cells === null) return { line, cells: null, isTooLong: false };
  const named = columns.flatMap((column, index) => {
    const cell = unescapeFormula(cells[index] ?? '');
    // Notes keep their spaces.
    return column === undefined ? [] : [[column, column === 'note' ? cell : cell.trim()] as const];
  });
  return {
    line,
    cells: Object.fromEntries(named),
    isTooLong: cells.slice(columns.length).some((cell) => cell !== ''),
  };
}

/** @throws AppError 422 `validation_failed` with missing_column, duplicate_column, too_big or invalid_csv */
export async function readRedirectCsv(csv: string): Promise<RedirectCsv> {
  const [header, ...records] = await csvRecords(csv, limits.redirectImportRows + 2);
  if (!header?.cells) throw csvError('missing_column', 'The first row must name the columns.');
  if (records.length > limits.redirectImportRows)
    throw csvError('too_big', `A file has at most ${limits.redirectImportRows} rows.`);
  const columns = readHeader(header.cells);
  // Spreadsheets append rows of commas.
  const filled = records.filter(({ cells }) => cells?.every((cell) => cell === '') !== true);
  const turns = new Turns();
  const rows: CsvRow[] = [];
  for (const record of filled) {
    rows.push(rowOf(record, columns));
    await turns.pause();
  }
  return {
    rows,
    unknownColumns: header.cells.filter((cell, index) => columns[index] === undefined && cell.trim() !== ''),
  };
}
