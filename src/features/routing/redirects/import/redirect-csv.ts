import { once } from 'node:events';
import { CsvError, parse, type Options } from 'csv-parse';
import { invalidInput } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import { stringify } from 'csv-stringify/sync';
import type { Catalog } from '../../../../content/catalog.js';
import type { RedirectRow } from '../redirect.repository.js';

/** How a file separates cells, and where its records start. */
interface CsvDialect {
  readonly delimiter: string;
  /** After the line `sep=`, which names the delimiter for spreadsheets. */
  readonly start: number;
}

const DELIMITERS = [',', ';', '\t'] as const;
const DECLARED = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i;

/** Only this much of a longer header is read. */
const HEADER_LENGTH = 65_536;

/** The most frequent delimiter outside quotes in the first record; a comma if there is none. */
function frequentDelimiter(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((one) => [one, 0]));
  let isQuoted = false;
  for (const character of text.slice(0, HEADER_LENGTH).replace(/^[\r\n]+/, '')) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\r' || character === '\n') break;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** @param text without a byte order mark */
function csvDialect(text: string): CsvDialect {
  const declared = DECLARED.exec(text);
  if (declared === null) return { delimiter: frequentDelimiter(text), start: 0 };
  const [line, delimiter = ','] = declared;
  return { delimiter, start: line.length };
}

/** `cells` is null for a malformed record. */
interface CsvRecord {
  /** First line, from 1. */
  readonly line: number;
  readonly cells: readonly string[] | null;
}

/** Malformed records before the file is rejected. */
const MAXIMUM_MALFORMED = 100;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

class LineCounter {
  #at = 0;
  #line = 1;

  /** @param start where records start, after a line that is none */
  constructor(
    private readonly bytes: Buffer,
    start: number,
  ) {
    while (this.#at < start) this.#step();
  }

  /** The first line of the record that ends at `end`; empty lines are skipped. */
  lineOfRecord(end: number): number {
    while (this.#at < end && this.#isBreak(this.#at)) this.#step();
    const line = this.#line;
    while (this.#at < end) this.#step();
    return line;
  }

  /** Returns the number of the skipped line. */
  skipLine(): number {
    while (this.#at < this.bytes.length && this.#isBreak(this.#at)) this.#step();
    const line = this.#line;
    while (this.#at < this.bytes.length && this.#line === line) this.#step();
    return line;
  }

  get position(): number {
    return this.#at;
  }

  #isBreak(at: number): boolean {
    return this.bytes[at] === LINE_FEED || this.bytes[at] === CARRIAGE_RETURN;
  }

  #step(): void {
    const isPair = this.bytes[this.#at] === CARRIAGE_RETURN && this.bytes[this.#at + 1] === LINE_FEED;
    if (this.#isBreak(this.#at) && !isPair) this.#line += 1;
    this.#at += 1;
  }
}

/** Bytes parsed without a pause. */
const SLICE_BYTES = 65_536;

/** @throws CsvError */
async function parseCsv(bytes: Buffer, options: Options): Promise<void> {
  const parser = parse(options);
  const ended = once(parser, 'end').then(() => true);
  // Records are taken by `on_record`, so nothing is read.
  parser.resume();
  const turns = new Turns();
  // The parser ends before its input at the last record wanted, or at an error.
  for (let at = 0; at < bytes.length && parser.writable; at += SLICE_BYTES) {
    parser.write(bytes.subarray(at, at + SLICE_BYTES));
    await Promise.race([ended, turns.pause()]);
  }
  if (parser.writable) parser.end();
  await ended;
}

/**
 * RFC 4180, with the delimiter that the file declares or that its first record has; LF and CR end lines too. After an
 * unclosed quote or an oversized record, parsing continues on the next line.
 * @param maximum number of records to read
 * @throws AppError 422 `validation_failed` if too many records are malformed
 */
export async function csvRecords(csv: string, maximum: number): Promise<CsvRecord[]> {
  const text = csv.replace(/^\uFEFF/, '');
  const dialect = csvDialect(text);
  const bytes = Buffer.from(text, 'utf8');
  const lines = new LineCounter(bytes, Buffer.byteLength(text.slice(0, dialect.start)));
  const records: CsvRecord[] = [];
  for (let malformed = 0; malformed <= MAXIMUM_MALFORMED; malformed += 1) {
    const start = lines.position;
    try {
      await parseCsv(bytes.subarray(start), {
        delimiter: dialect.delimiter,
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        record_delimiter: ['\r\n', '\n', '\r'],
        max_record_size: limits.redirectRecordBytes,
        to: maximum - records.length,
        on_record: (cells: string[], { bytes: end }) => {
          records.push({ line: lines.lineOfRecord(start + end), cells });
          return null;
        },
      });
      return records;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      records.push({ line: lines.skipLine(), cells: null });
      if (records.length >= maximum || lines.position >= bytes.length) return records;
    }
  }
  throw invalidInput({ path: ['csv'], code: 'invalid_csv', message: 'The file is not CSV.' });
}

/** What starts a formula in spreadsheets, also after white space: full-width forms and pipes included. */
const FORMULA_START = '(?:[\\t\\r\\n]|\\s*[=+\\-@|\uFF1D\uFF0B\uFF0D\uFF20\uFF5C])';
const needsEscape = new RegExp(`^'*${FORMULA_START}`);
const isEscaped = new RegExp(`^'+${FORMULA_START}`);

/** Prefixes an apostrophe; existing ones get one more, so that {@link unescapeFormula} is exact. */
export function escapeFormula(cell: string): string {
  return needsEscape.test(cell) ? `'${cell}` : cell;
}

export function unescapeFormula(cell: string): string {
  return isEscaped.test(cell) ? cell.slice(1) : cell;
}

/** In export order (rule routing/redirect-csv). */
const csvColumns = [
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
  // Spreadsheets append rows of delimiters.
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

export function writeRedirectCsv(rows: readonly RedirectRow[], catalog: Catalog): string {
  const records = rows.map((row) => ({
    source: row.source,
    target: row.target ?? '',
    status: String(row.status),
    site: catalog.site(row.siteId)?.slug ?? '',
    locale: row.locale ?? '',
    matchType: row.matchType,
    queryMatch: row.queryMatch,
    isActive: String(row.isActive),
    note: row.note ?? '',
  }));
  return stringify(records, {
    header: true,
    columns: [...csvColumns],
    record_delimiter: 'windows',
    // Either character alone ends a line when parsed.
    quoted_match: /[\r\n]/,
    cast: { string: escapeFormula },
  });
}
