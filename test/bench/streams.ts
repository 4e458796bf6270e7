import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { leaveServerCore, loadAverage, memoryMb, pinning } from './processes.js';
import { startSizedServer } from './sizes/databases.js';
import { openStage, PROJECT, type Service, type Stage } from './sizes/stage.js';

const { values: flags } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    changes: { type: 'string', default: '100' },
  },
});
const [streams, changes] = [Number(flags.streams), Number(flags.changes)];
const ENTRIES = `/api/v1/projects/${PROJECT}/entries`;
const STREAM = `/api/delivery/projects/${PROJECT}/sites/main/preview/stream`;
/** Until the process has given back what it no longer needs. */
const SETTLE_MS = 3000;

/** How long after its request each change reached each stream, in milliseconds. */
class Arrivals {
  readonly times: number[] = [];
  #startedAt = 0;
  #waiting = 0;
  #done: (() => void) | undefined;

  /** Makes a change and waits until every stream has it. */
  async of(change: () => Promise<unknown>): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      this.#done = resolve;
    });
    this.#waiting = streams;
    this.#startedAt = performance.now();
    await Promise.all([change(), arrived]);
  }

  note(): void {
    this.times.push(performance.now() - this.#startedAt);
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#done?.();
  }
}

async function openStreams({ open }: Service, arrivals: Arrivals): Promise<void> {
  for (let number = 0; number < streams; number += 1) {
    const stream = await open(STREAM);
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('event: changed')) arrivals.note();
    });
    if (stream.readableLength === 0) await once(stream, 'data');
  }
}

async function measure({ cached: service }: Stage): Promise<void> {
  const first = await service.ask({ method: 'GET', path: `${ENTRIES}?limit=1`, key: 'management' });
  const [{ id, version }] = (JSON.parse(first) as { data: [{ id: string; version: number }] }).data;
  await delay(SETTLE_MS);
  const before = await memoryMb(service.pid);
  const arrivals = new Arrivals();
  await openStreams(service, arrivals);
  await delay(SETTLE_MS);
  const after = await memoryMb(service.pid);
  for (let number = 0; number < changes; number += 1)
    await arrivals.of(() =>
      service.ask({
        method: 'PUT',
        path: `${ENTRIES}/${id}`,
        key: 'management',
        body: { version: version + number, fields: { title: `Change ${String(number)}` } },
      }),
    );
  const sorted = arrivals.times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
  console.log(
    `${String(streams)} streams: ${(after - before).toFixed(1)} MB more memory. ${String(changes)} changes, from the request ` +
      `to each stream: ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (maximum).`,
  );
}

leaveServerCore();
const server = await startSizedServer();
try {
  const database = await server.create('headwater_streams');
  const stage = await openStage(database, 100);
  try {
    await measure(stage);
  } finally {
    await stage.close();
    await database.drop();
  }
} finally {
  await server.stop();
}
console.log(`\n${pinning}; load ${await loadAverage()}.`);
process.exit(0);
