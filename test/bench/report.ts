import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import type { Compared, Result } from './measure.js';
import { plot } from './plot.js';

/** Conditions of a run. */
export interface Facts {
  readonly pinning: string;
  readonly load: string;
  readonly generator: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly memoryMb: number;
  readonly startMs: number;
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const ms = (value: number): string => value.toFixed(2);

/** The median and the range of the rounds. */
const ratioOf = ({ ratio, range: [least, largest] }: Compared): string =>
  `${ratio.toFixed(2)} (${least.toFixed(2)}–${largest.toFixed(2)})`;

const heads = [
  'Scenario',
  'Requests/s',
  'Floor',
  'Ratio',
  'Target',
  'p50 ms',
  'p99 ms',
  'Bytes',
  'CPU ms',
  'Floor CPU ms',
  'DB CPU ms',
  'Floor DB CPU ms',
  'Text in SQL',
  'Ratio',
  'Target',
  'Text CPU ms',
  'Text DB CPU ms',
];

const absent = '–';

/** Against the floor whose JSON is built in SQL. */
function textCells({ scenario, text }: Result): string[] {
  if (text === undefined) return Array.from({ length: 5 }, () => absent);
  const { floor } = text;
  return [
    count(floor.requestsPerSecond),
    ratioOf(text),
    scenario.textTarget?.toFixed(2) ?? absent,
    floor.cpuMsPerRequest.toFixed(3),
    floor.databaseMsPerRequest.toFixed(3),
  ];
}

function cells(result: Result): string[] {
  const { scenario, own, floor } = result;
  return [
    scenario.name,
    count(own.requestsPerSecond),
    count(floor.requestsPerSecond),
    ratioOf(result),
    scenario.target.toFixed(2),
    ms(own.p50Ms),
    ms(own.p99Ms),
    count(own.bytesPerAnswer),
    own.cpuMsPerRequest.toFixed(3),
    floor.cpuMsPerRequest.toFixed(3),
    own.databaseMsPerRequest.toFixed(3),
    floor.databaseMsPerRequest.toFixed(3),
    ...textCells(result),
  ];
}

/** The columns of the table in this folder's README: those by which the service is judged. */
const pageColumns = [0, 1, 3, 4, 6, 8, 9];

/** A Markdown table in prettier's format. */
function table(lines: readonly (readonly string[])[], heads: readonly string[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const row = (line: readonly string[]): string =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [row(heads), row(rule), ...lines.map(row)].join('\n');
}

const page = new URL('README.md', import.meta.url);
const markedTable = /(<!-- bench -->\n\n)[^]*?(\n\n<!-- \/bench -->)/;

/** Replaces the table between the markers of this folder's README. */
async function writePage(text: string): Promise<void> {
  const before = await readFile(page, 'utf8');
  if (!markedTable.test(before)) throw new Error('test/bench/README.md has no <!-- bench --> markers.');
  await writeFile(
    page,
    before.replace(markedTable, (_whole, start: string, end: string) => start + text + end),
  );
}

export interface ReportFiles {
  readonly plot: string | undefined;
  /** Whether to update test/bench/README.md. */
  readonly writesPage: boolean;
}

export async function report(results: readonly Result[], facts: Facts, files: ReportFiles): Promise<void> {
  const { pinning, load, generator, rounds, seconds, memoryMb, startMs } = facts;
  const lines = results.map(cells);
  const conditions =
    `Medians of ${rounds} rounds of ${seconds} s, 50 connections, ${generator}; ${pinning}; load ${load}.\n` +
    `Memory of the server after the run: ${memoryMb.toFixed(0)} MB. Start to first response: ${(startMs / 1000).toFixed(2)} s.`;
  process.stdout.write(`${table(lines, heads)}\n\n${conditions}\n`);
  if (files.writesPage) {
    const select = (line: readonly string[]): string[] => pageColumns.map((column) => line[column] ?? '');
    await writePage(`${table(lines.map(select), select(heads))}\n\n${conditions}`);
  }
  if (files.plot !== undefined) await writeFile(files.plot, plot(results));
}
