import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './growth/median.js';
import { openLoop } from './overload/load.js';
import { cpuMs, leaveServerCore, loadAverage, pinning, type Measured } from './processes.js';
import { startPublishing } from './publishing.js';
import { withDatabase } from './scratch-database.js';
import { idOf, seedContent } from './seed-content.js';
import type { Values } from './scenarios.js';
import { startService } from './service.js';
import { Turns, type TurnDelay } from './turns/turns.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    /** Reads a second, of which all but the first are hits. */
    reads: { type: 'string', default: '2000' },
    /** Entries created and published a second. */
    publications: { type: 'string', default: '20' },
  },
});
const [rounds, seconds] = [Number(flags.rounds), Number(flags.seconds)];
const [reads, publications] = [Number(flags.reads), Number(flags.publications)];

/** What runs at the same time. */
interface Mix {
  readonly isRead: boolean;
  readonly isPublished: boolean;
}

interface Measurement {
  /** Of the service's process, per second. */
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Reads answered with 503 on a machine that has no processor left. */
  readonly refused: number;
  /** What turns of the event loops add at the 99th percentile. */
  readonly service: TurnDelay;
  readonly load: TurnDelay;
}

interface Bench {
  readonly service: Measured;
  readonly turns: Turns;
  readonly values: Values;
}

async function run({ service, turns, values }: Bench, { isRead, isPublished }: Mix): Promise<Measurement> {
  const url = `${service.url}/api/delivery/projects/bench/sites/main/entries/${idOf('article', 77)}`;
  const request = {
    url,
    method: 'GET',
    headers: { authorization: `Bearer ${values.deliveryKey ?? ''}` },
  } as const;
  const stop = isPublished ? startPublishing(service.url, publications, values) : undefined;
  const [before, startedAt] = [await cpuMs(service.pid), performance.now()];
  const beganAt = performance.timeOrigin + startedAt;
  const outcome = isRead
    ? await openLoop(() => request, reads, { seconds, tickMs: 1 })
    : await delay(seconds * 1000);
  const spent = ((await cpuMs(service.pid)) - before) / ((performance.now() - startedAt) / 1000);
  const delays = await turns.since(beganAt);
  await stop?.();
  const statuses = outcome?.statuses ?? new Map<number, number>();
  for (const status of statuses.keys())
    if (status !== 200 && status !== 503) throw new Error(`a read was answered with ${String(status)}`);
  return {
    cpuMs: spent,
    p50Ms: outcome?.within('served', 0.5) ?? 0,
    p99Ms: outcome?.within('served', 0.99) ?? 0,
    refused: statuses.get(503) ?? 0,
    ...delays,
  };
}

const mixes = {
  nothing: { isRead: false, isPublished: false },
  reads: { isRead: true, isPublished: false },
  publications: { isRead: false, isPublished: true },
  both: { isRead: true, isPublished: true },
} as const satisfies Record<string, Mix>;

type Name = keyof typeof mixes;
const names = Object.keys(mixes) as Name[];

type Column = readonly [title: string, pick: (one: Measurement) => number, digits: number];

/** The last four are the 99th percentiles of what turns of the event loops add. */
const columns: readonly Column[] = [
  ['CPU ms a second', (one) => one.cpuMs, 0],
  ['p50 ms', (one) => one.p50Ms, 1],
  ['p99 ms', (one) => one.p99Ms, 1],
  ['refused', (one) => one.refused, 0],
  ['service, ms', (one) => one.service.wallMs, 1],
  ['of it processor time', (one) => one.service.cpuMs, 1],
  ['load, ms', (one) => one.load.wallMs, 1],
  ['of it processor time', (one) => one.load.cpuMs, 1],
];

/** Processor time of a read beside publications, which pay for themselves, and without them; in µs. */
function report(measured: Readonly<Record<Name, readonly Measurement[]>>): void {
  const of = (name: Name, pick: (one: Measurement) => number): number => median(measured[name].map(pick));
  console.log(`| Mix | ${columns.map(([title]) => title).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(columns.length)}`);
  const cpuOf = (name: Name): number => of(name, (one) => one.cpuMs);
  for (const name of names) {
    const cells = columns.map(([, pick, digits]) => of(name, pick).toFixed(digits));
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  const perRead = (withReads: Name, without: Name): number[] =>
    measured[withReads].map((one, round) => (one.cpuMs - (measured[without][round]?.cpuMs ?? 0)) / reads);
  const [alone, beside] = [perRead('reads', 'nothing'), perRead('both', 'publications')];
  const ratios = alone.map((one, round) => one / (beside[round] ?? NaN));
  const sorted = ratios.toSorted((a, b) => a - b).map((one) => one.toFixed(2));
  console.log(
    `\nProcessor time of a read: ${(median(alone) * 1000).toFixed(1)} µs alone, ${(median(beside) * 1000).toFixed(1)} µs beside ` +
      `publications, ratio ${median(ratios).toFixed(2)} (${sorted[0] ?? ''} – ${sorted.at(-1) ?? ''}, target 0.80). ` +
      `A publication with its entry: ${((cpuOf('publications') - cpuOf('nothing')) / publications).toFixed(1)} ms.`,
  );
}

async function bench(url: string): Promise<void> {
  const values = await seedContent(url);
  const turns = await Turns.start();
  const service = await startService(url, turns.settings);
  const running: Bench = { service, turns, values };
  const measured: Record<Name, Measurement[]> = { nothing: [], reads: [], publications: [], both: [] };
  try {
    await run(running, mixes.both);
    for (let round = 0; round < rounds; round += 1)
      for (const name of round % 2 === 0 ? names : names.toReversed())
        measured[name].push(await run(running, mixes[name]));
  } finally {
    await service.stop();
    await turns.stop();
  }
  report(measured);
  console.log(
    `Medians of ${String(rounds)} rounds of ${String(seconds)} s, ${String(reads)} reads and ${String(publications)} publications ` +
      `a second; ${pinning}; load ${await loadAverage()}.`,
  );
}

leaveServerCore();
await withDatabase(({ url }) => bench(url));
process.exit(0);
