import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { freePort } from '../../../src/infrastructure/postgres/postgres-server.js';
import { measure } from '../measure.js';
import { ProcessorTime } from '../processor-time.js';
import { leaveServerCore, start, type Measured } from '../processes.js';
import type { Scenario } from '../scenarios.js';
import { withDatabase, type Scratch } from '../scratch-database.js';
import { startService } from '../service.js';
import { receiveLargeFile } from './receive.js';
import { besideRenditions, firstRenditions, hundredAtOnce } from './renditions.js';
import { stage, urlSecret, type Stage } from './stage.js';

const { values: flags } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);

/** Pairs of a first rendition and its floor. */
const RENDITIONS = 15;

type Line = readonly [name: string, own: string, floor: string, ratio: string, target: string];

const number = (value: number): string => value.toFixed(value < 100 ? 1 : 0);

async function startFloor(file: string): Promise<Measured> {
  const port = await freePort();
  const args = ['--import', 'tsx', 'test/bench/media/floor.ts', String(port), file];
  return start({ name: 'node:http', args, env: {}, port, probe: '/healthz' });
}

/** Requests per second of files, against node:http that streams the same file. */
async function bytesLines(service: Measured, { small }: Stage): Promise<Line[]> {
  const rendition = `${small.url}?w=828&fm=jpg`;
  const tag = (await fetch(service.url + small.url)).headers.get('etag') ?? '';
  await (await fetch(service.url + rendition)).arrayBuffer();
  const scenarios: readonly (readonly [string, string, Record<string, string>, number])[] = [
    ['file of 100 KB', small.url, {}, 0.8],
    ['cached rendition', rendition, {}, 0.8],
    ['304', small.url, { 'if-none-match': tag }, 0.9],
  ];
  const floor = await startFloor(small.file);
  try {
    const lines: Line[] = [];
    for (const [name, url, headers, target] of scenarios) {
      const scenario: Scenario = {
        name,
        path: url,
        headers,
        target,
        method: 'GET',
        server: 'cached',
        floor: 'memory',
      };
      const {
        own,
        floor: bare,
        ratio,
      } = await measure(
        scenario,
        { own: service, floor, text: undefined },
        { rounds, seconds, values: {}, processorTime: (pid) => new ProcessorTime(pid) },
      );
      const rates = [own, bare].map((run) => `${number(run.requestsPerSecond)}/s`);
      lines.push([name, rates[0] ?? '', rates[1] ?? '', ratio.toFixed(2), `≥ ${target.toFixed(2)}`]);
    }
    return lines;
  } finally {
    await floor.stop();
  }
}

async function renditionLines(service: Measured, scene: Stage): Promise<Line[]> {
  const { own, bare } = await firstRenditions(service, scene, Math.max(RENDITIONS, rounds));
  const once = await hundredAtOnce(service, scene);
  const { alone, beside, p99Ms, renditions } = await besideRenditions(service, scene, seconds);
  return [
    ...(['elapsed', 'cpu'] as const).map((kind): Line => [
      `first rendition, 12 MP to 800 px WebP${kind === 'cpu' ? ', CPU time' : ''}`,
      `${number(own[kind])} ms`,
      `${number(bare[kind])} ms`,
      (own[kind] / bare[kind]).toFixed(2),
      '≤ 1.15',
    ]),
    [
      '100 requests for one new rendition',
      `${number(once)} ms`,
      `${number(bare.elapsed)} ms`,
      (once / bare.elapsed).toFixed(2),
      '',
    ],
    [
      `JSON beside ${renditions} renditions, p99 ${number(p99Ms)} ms`,
      ...([`${number(beside)}/s`, `${number(alone)}/s`, (beside / alone).toFixed(2), '≥ 0.50'] as const),
    ],
  ];
}

async function receiveLine(): Promise<Line> {
  const { ownSeconds, bareSeconds, grownMb } = await receiveLargeFile();
  const rates = [ownSeconds, bareSeconds].map((took) => `${number(1024 / took)} MiB/s`);
  const name = `receiving 1 GiB, memory + ${number(grownMb)} MB`;
  return [name, rates[0] ?? '', rates[1] ?? '', (bareSeconds / ownSeconds).toFixed(2), '≥ 0.60'];
}

function print(lines: readonly Line[]): void {
  console.log('| Measure | Service | Floor | Ratio | Target |\n| --- | ---: | ---: | ---: | ---: |');
  for (const line of lines) console.log(`| ${line.join(' | ')} |`);
}

async function bench({ url, media }: Scratch): Promise<void> {
  const data = media;
  const scene = await stage(url, path.join(data, 'media'));
  const settings = { HEADWATER_DATA_DIR: data, MEDIA_URL_SECRET: urlSecret };
  const service = await startService(url, settings);
  try {
    print([
      ...(await bytesLines(service, scene)),
      ...(await renditionLines(service, scene)),
      await receiveLine(),
    ]);
  } finally {
    await service.stop();
  }
}

leaveServerCore();
await withDatabase(bench);
process.exit(0);
