import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { isObject } from '../../../content/exact-json/is-object.js';
import { readFailure, readLines, type LinePlace } from '../read-lines.js';

/** Of one record; more is a record that does not end. */
const RECORD_BYTES = 4 * 1024 * 1024;
/** Malformed records before the file is refused. */
const MALFORMED = 100;
const HEAD_BYTES = 65_536;

/** A row by its columns, or why it is none. */
export interface TableRow {
  /** Its first line, from 1. */
  readonly line: number;
  readonly cells: ReadonlyMap<string, unknown>;
  readonly problem?: string;
  /** In the file, where a line is a row. */
  readonly place?: LinePlace;
  /** Columns after its last cell. */
  readonly missing?: readonly string[];
}

const noCells: ReadonlyMap<string, unknown> = new Map();
const NOT_UTF8 = 'It has letters that are not UTF-8.';

const unreadable = (file: string, error: unknown): Error =>
  new Error(`The file ${file} cannot be read: ${readFailure(error)}.`, { cause: error });

/** @throws Error with one line for people */
async function bytesOf(file: string, { start, length }: LinePlace): Promise<Buffer> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await handle.read(bytes, 0, length, start).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The first bytes. @throws Error with one line for people if they are no UTF-8 */
async function headOf(file: string): Promise<string> {
  const head = await bytesOf(file, { start: 0, length: HEAD_BYTES });
  const isWide = ['fffe', 'feff'].includes(head.subarray(0, 2).toString('hex'));
  if (isWide || head.includes(0)) throw new Error(`The file ${file} is UTF-16 or binary. Save it as UTF-8.`);
  return head.toString('utf8').replace(/^\uFEFF/, '');
}

/** Whether bytes of a record were replaced. The letter that replaces them may also be in the file. */
const isDecoded = async (record: readonly string[], file: string, place: LinePlace): Promise<boolean> =>
  !record.some((cell) => cell.includes('\uFFFD')) || isUtf8(await bytesOf(file, place));

/** The most frequent one outside quotes in the first record; a comma if there is none. */
function delimiterOf(head: string): string {
  const counts = new Map([',', ';', '\t', '|'].map((one) => [one, 0]));
  for (const [part] of head.replace(/^[\r\n]+/, '').matchAll(/"(?:[^"]|"")*"|[^"]/g)) {
    if (part === '\n' || part === '\r') break;
    const count = counts.get(part);
    if (count !== undefined) counts.set(part, count + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** Names of columns, each once. @throws Error with one line for people */
function columnsOf(record: readonly string[], file: string): string[] {
  const names = record.map((cell, index) => cell.trim() || `column ${String(index + 1)}`);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`The file ${file} has two columns ${twice}.`);
  return names;
}

function rowOf(
  record: readonly string[],
  { names, line }: { names: readonly string[]; line: number },
): TableRow {
  if (record.slice(names.length).some((cell) => cell !== ''))
    return { line, cells: noCells, problem: 'It has more cells than the first row.' };
  const missing = names.slice(record.length);
  const cells = new Map(names.map((name, index) => [name, record[index] ?? '']));
  return { line, cells, ...(missing.length > 0 && { missing }) };
}

interface CsvPlace {
  readonly start: number;
  readonly line: number;
}

interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly bytes: number; readonly lines: number };
}

const linesIn = (record: readonly string[]): number =>
  record.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 1);

/** The first line that is not empty, and where the one after it starts: undefined at the end of the file. */
async function skipLine(
  file: string,
  { start, line }: CsvPlace,
): Promise<{ skipped: number; next: CsvPlace | undefined }> {
  const input = createReadStream(file, { start });
  let [at, skipped, isEmpty] = [start, line, true];
  try {
    for await (const chunk of input as AsyncIterable<Buffer>)
      for (const byte of chunk) {
        at += 1;
        if (byte === 10 && !isEmpty) return { skipped, next: { start: at, line: skipped + 1 } };
        if (byte === 10) skipped += 1;
        else if (byte !== 13) isEmpty = false;
      }
  } finally {
    input.destroy();
  }
  return { skipped, next: undefined };
}

/** Every record before a malformed one is returned, however slowly it is used. @throws CsvError */
async function* recordsOf(file: string, start: number, delimiter: string): AsyncGenerator<CsvRecord> {
  const records: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_BYTES,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (record: string[], info) => {
      records.push({ record, info });
      return null;
    },
  });
  // Failures are also given to those who write.
  parser.on('error', () => undefined).resume();
  const input = createReadStream(file, { start });
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      const failure = await new Promise((resolve) => parser.write(chunk, resolve));
      yield* records.splice(0);
      if (failure instanceof Error) throw failure;
    }
    const failure = await new Promise((resolve) => parser.end(resolve));
    yield* records;
    if (failure instanceof Error) throw failure;
  } finally {
    input.destroy();
  }
}

/**
 * Records of a CSV file, which is read in pieces. After a record without an end, reading continues on the next line.
 * @throws Error with one line for people
 */
export async function* readCsv(file: string): AsyncGenerator<TableRow> {
  const delimiter = delimiterOf(await headOf(file));
  let names: string[] | undefined;
  let place: CsvPlace | undefined = { start: 0, line: 1 };
  for (let malformed = 0; place !== undefined; malformed += 1) {
    const from: CsvPlace = place;
    try {
      for await (const { record, info } of recordsOf(file, from.start, delimiter)) {
        const line = from.line + info.lines - linesIn(record);
        const { start } = place;
        place = { start: from.start + info.bytes, line: from.line + info.lines };
        if (names === undefined) names = columnsOf(record, file);
        else if (!(await isDecoded(record, file, { start, length: place.start - start })))
          yield { line, cells: noCells, problem: NOT_UTF8 };
        else if (record.some((cell) => cell !== '')) yield rowOf(record, { names, line });
      }
      return;
    } catch (error) {
      if (!(error instanceof CsvError))
        throw (error as NodeJS.ErrnoException).code ? unreadable(file, error) : error;
      if (names === undefined || malformed >= MALFORMED)
        throw new Error(`The file ${file} is not CSV: ${error.message.split('\n')[0] ?? ''}.`, {
          cause: error,
        });
      const { skipped, next } = await skipLine(file, place);
      yield { line: skipped, cells: noCells, problem: 'Its quotes are not closed, or it is too long.' };
      place = next;
    }
  }
}

function jsonRow(text: string, line: number): TableRow {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { line, cells: new Map(Object.entries(value)) };
    return { line, cells: noCells, problem: 'It is not an object.' };
  } catch {
    return { line, cells: noCells, problem: 'It is not JSON.' };
  }
}

/**
 * Objects of a file with one in each line.
 * @throws Error with one line for people
 */
export async function* readJsonLines(file: string): AsyncGenerator<TableRow> {
  await headOf(file);
  for await (const { number, text, fault, start, length } of readLines(file, RECORD_BYTES))
    yield fault === undefined
      ? { ...jsonRow(text, number), place: { start, length } }
      : {
          line: number,
          cells: noCells,
          problem: fault === 'length' ? `It has more than ${String(RECORD_BYTES)} bytes.` : NOT_UTF8,
        };
}
