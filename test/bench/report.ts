import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import type { Result } from './measure.js';
import { plot } from './plot.js';

/** What belongs to the figures beside the figures. */
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

const heads = [
  'Work',
  'Requests/s',
  'Floor',
  'Ratio',
  'Target',
  'p50 ms',
  'p99 ms',
  'Bytes',
  'CPU ms',
  'Floor CPU ms',
];

function cells({ scenario, own, floor, ratio }: Result): string[] {
  return [
    scenario.name,
    count(own.requestsPerSecond),
    count(floor.requestsPerSecond),
    ratio.toFixed(2),
    scenario.target.toFixed(2),
    ms(own.p50Ms),
    ms(own.p99Ms),
    count(own.bytesPerAnswer),
    own.cpuMsPerRequest.toFixed(3),
    floor.cpuMsPerRequest.toFixed(3),
  ];
}

/** A Markdown table, its columns as wide as they must be. */
function table(lines: readonly (readonly string[])[]): string {
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

/** Prints the table, and writes the plot where one is wanted. */
export async function report(
  results: readonly Result[],
  facts: Facts,
  plotFile: string | undefined,
): Promise<void> {
  const { pinning, load, generator, rounds, seconds, memoryMb, startMs } = facts;
  process.stdout.write(
    `${table(results.map(cells))}\n\n` +
      `Medians of ${rounds} rounds of ${seconds} s, 50 connections, ${generator}; ${pinning}; load ${load}.\n` +
      `Memory of the server after the run: ${memoryMb.toFixed(0)} MB. Start to first answer: ${(startMs / 1000).toFixed(2)} s.\n`,
  );
  if (plotFile !== undefined) await writeFile(plotFile, plot(results));
}
