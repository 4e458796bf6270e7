import process from 'node:process';
import { loadAverage, pinning } from '../processes.js';
import { compare, type Cost } from './compare.js';
import { startSizedServer } from './databases.js';
import { openStage, type Stage } from './stage.js';
import { works } from './works.js';

/** What is compared. */
export interface GrowthOptions {
  /** Published articles of each database, the smallest first. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Only what has this in its name. */
  readonly only: string;
}

const WARM_UP = 3;

const name = (size: number): string => size.toLocaleString('en-US');
const ms = (value: number): string => (value < 0.1 ? value.toFixed(4) : value.toFixed(2));
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

function head(sizes: readonly number[]): string {
  const larger = sizes.slice(1).map((size) => `${name(size)} : ${name(sizes[0] ?? 0)}`);
  const cells = ['ms a request', ...sizes.map(name), ...larger, ...sizes.map((size) => `CPU ${name(size)}`)];
  return line([...cells, 'CPU ratio']) + line(['---', ...cells.map(() => '---:')]);
}

/** Latency, its ratios to the smallest, processor time (service + database), and its ratio of the largest. */
function row(work: string, costs: readonly Cost[]): string {
  const [smallest] = costs;
  const ratios = costs.slice(1).map((cost) => (cost.ms / (smallest?.ms ?? NaN)).toFixed(2));
  const spent = costs.map(({ serverMs, databaseMs }) => serverMs + databaseMs);
  const parts = costs.map((cost) => `${ms(cost.serverMs)} + ${ms(cost.databaseMs)}`);
  const ratio = ((spent.at(-1) ?? NaN) / (spent[0] ?? NaN)).toFixed(2);
  return line([work, ...costs.map((cost) => ms(cost.ms)), ...ratios, ...parts, ratio]);
}

async function seeded(count: number, open: () => Promise<Stage>): Promise<Stage> {
  const begun = performance.now();
  const stage = await open();
  const seconds = (performance.now() - begun) / 1000;
  process.stdout.write(
    `${name(count)} articles: ${stage.megabytes.toFixed(0)} MB, ready in ${seconds.toFixed(0)} s\n`,
  );
  return stage;
}

/** Compares the same work in databases that differ in their size alone, and prints a table. */
export async function growth({ sizes, rounds, only }: GrowthOptions): Promise<void> {
  const server = await startSizedServer();
  const closing: (() => Promise<void>)[] = [() => server.stop()];
  try {
    const stages: Stage[] = [];
    for (const count of sizes) {
      const database = await server.create(`headwater_sizes_${String(count)}`);
      closing.unshift(() => database.drop());
      const stage = await seeded(count, () => openStage(database, count));
      closing.unshift(() => stage.close());
      stages.push(stage);
    }
    process.stdout.write(`\n${head(sizes)}`);
    for (const work of works.filter((one) => one.name.includes(only)))
      process.stdout.write(row(work.name, await compare(work, stages, { warmUp: WARM_UP, rounds })));
    process.stdout.write(
      `\nMedians of ${String(rounds)} rounds, one request at a time; ${pinning}; load ${await loadAverage()}.\n`,
    );
  } finally {
    for (const close of closing) await close();
  }
}
