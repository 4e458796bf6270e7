import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { median } from '../growth/median.js';
import { load } from '../load.js';
import { cpuMs, type Measured } from '../processes.js';
import type { Stage } from './stage.js';

const WIDTH = 800;
const QUALITY = 80;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function fetchAll(url: string): Promise<void> {
  const response = await fetch(url);
  const bytes = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${Buffer.from(bytes).toString()}`);
}

/** Of the service and the process that renders its pictures. */
async function cpuOf({ pid }: Measured): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  return (await Promise.all(pids.map(cpuMs))).reduce((sum, spent) => sum + spent, 0);
}

const ownCpu = (): Promise<number> => {
  const { user, system } = process.cpuUsage();
  return Promise.resolve((user + system) / 1000);
};

/** Medians in ms. */
export interface Cost {
  readonly elapsed: number;
  readonly cpu: number;
}

/** What runs of a piece of work cost. */
class Costs {
  readonly #elapsed: number[] = [];
  readonly #cpu: number[] = [];

  constructor(private readonly cpuOfAll: () => Promise<number>) {}

  async add(work: () => Promise<unknown>): Promise<void> {
    const before = await this.cpuOfAll();
    this.#elapsed.push(await timed(work));
    this.#cpu.push((await this.cpuOfAll()) - before);
  }

  get medians(): Cost {
    return { elapsed: median(this.#elapsed), cpu: median(this.#cpu) };
  }
}

/** A first rendition by the service and by bare sharp, in turn. CPU time does not depend on other work. */
export async function firstRenditions(
  service: Measured,
  { large }: Stage,
  rounds: number,
): Promise<{ readonly own: Cost; readonly bare: Cost }> {
  sharp.concurrency(1);
  sharp.cache(false);
  const own = new Costs(() => cpuOf(service));
  const bare = new Costs(ownCpu);
  const fetchAt = (width: number) => fetchAll(service.url + large.signed({ w: width, fm: 'webp' }));
  // Starts the process that renders.
  await fetchAt(WIDTH - 1);
  for (let round = 0; round < rounds; round += 1) {
    const width = WIDTH + round;
    await own.add(() => fetchAt(width));
    await bare.add(() =>
      sharp(large.file).autoOrient().resize({ width }).webp({ quality: QUALITY }).toBuffer(),
    );
  }
  return { own: own.medians, bare: bare.medians };
}

/** Milliseconds of 100 simultaneous requests for one new rendition. */
export const hundredAtOnce = (service: Measured, { large }: Stage): Promise<number> => {
  const url = service.url + large.signed({ w: 900, fm: 'webp' });
  return timed(() => Promise.all(Array.from({ length: 100 }, () => fetchAll(url))));
};

const READ = {
  method: 'GET',
  path: '/api/delivery/projects/bench/sites/main/sitemap?format=json',
} as const;

export interface BesideRenditions {
  readonly alone: number;
  readonly beside: number;
  readonly p99Ms: number;
  readonly renditions: number;
}

/** Requests per second of JSON while the service makes renditions without a pause. */
export async function besideRenditions(
  service: Measured,
  { large, deliveryKey }: Stage,
  seconds: number,
): Promise<BesideRenditions> {
  const request = { ...READ, headers: { authorization: `Bearer ${deliveryKey}` } };
  const options = { seconds, connections: 20 };
  await load(service.url, request, { ...options, seconds: 1 });
  const alone = await load(service.url, request, options);
  let isOver = false;
  let [width, renditions] = [0, 0];
  const makers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const response = await fetch(service.url + large.signed({ w: 1000 + width++, fm: 'webp' }));
      await response.arrayBuffer();
      // Under other load some wait for too long and are refused.
      if (response.ok) renditions += 1;
    }
  });
  const beside = await load(service.url, request, options);
  isOver = true;
  await Promise.all(makers);
  return {
    alone: alone.requestsPerSecond,
    beside: beside.requestsPerSecond,
    p99Ms: beside.p99Ms,
    renditions,
  };
}
