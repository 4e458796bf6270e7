import { setTimeout as delay } from 'node:timers/promises';
import type { Known, WriteClient } from './client.js';
import { SMALL } from './content.js';

/** Entries that are prepared at once. */
const CLIENTS = 2;

async function prepare(client: WriteClient, count: number, locales: readonly string[]): Promise<Known[]> {
  const made: Known[] = [];
  const worker = async (): Promise<void> => {
    while (made.length < count) {
      const place = made.push({ id: '', version: 0 }) - 1;
      made[place] = await client.create(`Entry ${String(place)}`, SMALL, locales);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
  return made;
}

interface Watched {
  readonly seconds: number;
  readonly memoryMb: number;
  readonly slowestProbeMs: number;
  readonly loopDelayMs: number;
}

/** Watches the process while it works. */
async function watch(client: WriteClient, work: () => Promise<unknown>): Promise<Watched> {
  await client.loopDelayMs();
  const memoryBefore = await client.memoryMb();
  let isOver = false;
  let most = memoryBefore;
  let slowest = 0;
  const memory = async (): Promise<void> => {
    for (; !isOver; await delay(10)) most = Math.max(most, await client.memoryMb());
  };
  const probes = async (): Promise<void> => {
    for (; !isOver; await delay(5)) {
      const startedAt = performance.now();
      await client.probe();
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
  };
  const watching = [memory(), probes()];
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  await Promise.all(watching);
  const loopDelayMs = await client.loopDelayMs();
  return { seconds, memoryMb: most - memoryBefore, slowestProbeMs: slowest, loopDelayMs };
}

/** Publishes many large entries with one call, first for the first time and then with changes. */
export async function compareBulk(
  client: WriteClient,
  { entries: count, locales }: { entries: number; locales: readonly string[] },
): Promise<void> {
  const entries = await prepare(client, count, locales);
  const entryIds = entries.map(({ id }) => id);
  const publish = async (): Promise<void> => {
    const result = await client.call<{ failed: number }>('POST', '/entries/bulk', {
      action: 'publish',
      entryIds,
    });
    if (result.failed > 0) throw new Error('an entry was not published');
  };
  console.log(
    `\n| Bulk publish of ${String(count)} entries | Seconds | Memory, MB | Event loop, ms | Slowest probe, ms |`,
  );
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const name of ['first', 'changed', 'changed again']) {
    for (const entry of name === 'first' ? [] : entries)
      await client.update(entry, { locale: 'en', fields: { title: `${entry.id} ${name}` } });
    const { seconds, memoryMb, loopDelayMs, slowestProbeMs } = await watch(client, publish);
    const cells = [
      seconds.toFixed(2),
      memoryMb.toFixed(0),
      loopDelayMs.toFixed(0),
      slowestProbeMs.toFixed(0),
    ];
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
}
