import { once } from 'node:events';
import { CsvError, parse, type Options } from 'csv-parse';
import { invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { Turns } from '../../../infrastructure/turns.js';

/** `cells` is null for a malformed record. */
export interface CsvRecord {
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

  constructor(private readonly bytes: Buffer) {}

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
 * RFC 4180; LF and CR end lines too. After an unclosed quote or an oversized record, parsing continues on the next
 * line.
 * @param maximum number of records to read
 * @throws AppError 422 `validation_failed` if too many records are malformed
 */
export async function csvRecords(csv: string, maximum: number): Promise<CsvRecord[]> {
  const bytes = Buffer.from(csv.replace(/^\uFEFF/, ''), 'utf8');
  const lines = new LineCounter(bytes);
  const records: CsvRecord[] = [];
  for (let malformed = 0; malformed <= MAXIMUM_MALFORMED; malformed += 1) {
    const start = lines.position;
    try {
      await parseCsv(bytes.subarray(start), {
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
