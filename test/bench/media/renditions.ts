import sharp from 'sharp';
import { median } from '../growth/median.js';
import { load } from '../load.js';
import type { Measured } from '../processes.js';
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

/** Milliseconds of a first rendition by the service and by bare sharp, in turn. */
export async function firstRenditions(
  service: Measured,
  { large }: Stage,
  rounds: number,
): Promise<{ readonly own: number; readonly bare: number }> {
  sharp.concurrency(1);
  sharp.cache(false);
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const width = WIDTH + round;
    own.push(await timed(() => fetchAll(service.url + large.signed({ w: width, fm: 'webp' }))));
    const make = () => sharp(large.file).autoOrient().resize({ width }).webp({ quality: QUALITY }).toBuffer();
    bare.push(await timed(make));
  }
  return { own: median(own), bare: median(bare) };
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
  let renditions = 0;
  const makers = Array.from({ length: 4 }, async () => {
    while (!isOver) await fetchAll(service.url + large.signed({ w: 1000 + renditions++, fm: 'webp' }));
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
