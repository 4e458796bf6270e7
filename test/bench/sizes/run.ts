import process from 'node:process';
import { loadAverage, pinning } from '../processes.js';
import { compare, type Cost } from './compare.js';
import { startSizedServer } from './databases.js';
import { openStage, type Stage } from './stage.js';
import { operations } from './operations.js';

export interface GrowthOptions {
  /** Published articles per database, ascending. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Operations whose name contains this. */
  readonly only: string;
}

const WARM_UP = 3;

const sizeName = (size: number): string => size.toLocaleString('en-US');
const ms = (value: number): string => (value < 0.1 ? value.toFixed(4) : value.toFixed(2));
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

function head(sizes: readonly number[]): string {
  const larger = sizes.slice(1).map((size) => `${sizeName(size)} : ${sizeName(sizes[0] ?? 0)}`);
  const cells = [
    'ms a request',
    ...sizes.map(sizeName),
    ...larger,
    ...sizes.map((size) => `CPU ${sizeName(size)}`),
  ];
  return line([...cells, 'CPU ratio']) + line(['---', ...cells.map(() => '---:')]);
}

/** Latencies, ratios to the smallest, CPU time (service + database), and the CPU ratio of the largest. */
function row(name: string, costs: readonly Cost[]): string {
  const [smallest] = costs;
  const ratios = costs.slice(1).map((cost) => (cost.ms / (smallest?.ms ?? NaN)).toFixed(2));
  const spent = costs.map(({ serverMs, databaseMs }) => serverMs + databaseMs);
  const parts = costs.map((cost) => `${ms(cost.serverMs)} + ${ms(cost.databaseMs)}`);
  const ratio = ((spent.at(-1) ?? NaN) / (spent[0] ?? NaN)).toFixed(2);
  return line([name, ...costs.map((cost) => ms(cost.ms)), ...ratios, ...parts, ratio]);
}

async function openSeeded(count: number, open: () => Promise<Stage>): Promise<Stage> {
  const startedAt = performance.now();
  const stage = await open();
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `${sizeName(count)} articles: ${stage.megabytes.toFixed(0)} MB, ready in ${seconds.toFixed(0)} s\n`,
  );
  return stage;
}

/** Prints a table of equal operations in databases of different sizes. */
export async function growth({ sizes, rounds, only }: GrowthOptions): Promise<void> {
  const server = await startSizedServer();
  const closing: (() => Promise<void>)[] = [() => server.stop()];
  try {
    const stages: Stage[] = [];
    for (const count of sizes) {
      const database = await server.create(`headwater_sizes_${String(count)}`);
      closing.unshift(() => database.drop());
      const stage = await openSeeded(count, () => openStage(database, count));
      closing.unshift(() => stage.close());
      stages.push(stage);
    }
    process.stdout.write(`\n${head(sizes)}`);
    for (const operation of operations.filter((one) => one.name.includes(only)))
      process.stdout.write(
        row(operation.name, await compare(operation, stages, { warmUp: WARM_UP, rounds })),
      );
    process.stdout.write(
      `\nMedians of ${String(rounds)} rounds, one request at a time; ${pinning}; load ${await loadAverage()}.\n`,
    );
  } finally {
    for (const close of closing) await close();
  }
}
