import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareTemplate } from '../../support/prepare-template.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { KillClient } from '../kill/client.js';
import { admin, preparePlace } from '../kill/place.js';
import { leaveServerCore, type Measured } from '../processes.js';
import { startService } from '../service.js';
import { Mix, type Scene } from './mix.js';
import { plot } from './plot.js';
import { flatnessOf, Sampler } from './samples.js';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    clients: { type: 'string', default: '4' },
    plot: { type: 'string', default: 'test/bench/soak.svg' },
  },
});
const minutes = Number(flags.minutes);
/** A short run needs more samples per minute. */
const SAMPLE_SECONDS = minutes <= 10 ? 1 : 10;
const METRICS_TOKEN = 'a-token-of-the-soak';
/** Of entries that another client has changed or removed since. */
const expected: ReadonlySet<number> = new Set([200, 201, 404, 409]);

async function prepareScene(service: Measured, databaseUrl: string): Promise<Scene> {
  const client = new KillClient<Measured>();
  client.service = service;
  const place = await preparePlace(client, databaseUrl);
  const key = { name: 'Readers', type: 'delivery' };
  const call = { method: 'POST', path: `${place.management}/api-keys`, body: key } as const;
  const { secret: deliveryKey } = await client.must<{ secret: string }>(call);
  return { ...place, service, deliveryKey, admin, ids: [] };
}

async function sampleUntilEnd(mix: Mix, sampler: Sampler): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await delay(SAMPLE_SECONDS * 1000);
    await sampler.take(mix.count);
  }
}

const rounded = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(', ');

/** Prints the result; returns what is wrong. */
function report(mix: Mix, { samples }: Sampler): string[] {
  const { residentMb, heapMb, deviation, isFlat } = flatnessOf(samples);
  const statuses = [...mix.statuses].sort(([a], [b]) => a - b);
  const longest = Math.max(...samples.map(({ loopDelayMs }) => loopDelayMs));
  console.log(
    `${String(minutes)} minutes, ${String(mix.count)} requests; ${statuses.map(([status, count]) => `${String(status)}: ${String(count)}`).join(', ')}`,
  );
  console.log(`resident memory by sixths: ${rounded(residentMb)} MB; heap in use: ${rounded(heapMb)} MB`);
  console.log(`event-loop delay (p99 between samples): at most ${longest.toFixed(0)} ms`);
  console.log(
    `memory after the first sixth: ${isFlat ? 'flat' : 'not flat'}, within ${(deviation * 100).toFixed(1)} % of the second sixth`,
  );
  const unexpected = statuses.filter(([status]) => !expected.has(status));
  return [
    ...(isFlat ? [] : ['memory deviates by more than 10 %']),
    ...unexpected.map(([status, count]) => `${String(count)} responses with status ${String(status)}`),
  ];
}

async function soak(databaseUrl: string): Promise<string[]> {
  const service = await startService(databaseUrl, { METRICS_TOKEN, RATE_LIMITS: '0' });
  try {
    const mix = new Mix(await prepareScene(service, databaseUrl), Number(flags.clients));
    await mix.prepare();
    mix.start();
    const sampler = new Sampler(service, METRICS_TOKEN);
    await sampleUntilEnd(mix, sampler).finally(() => mix.stop());
    await writeFile(flags.plot, plot(sampler.samples));
    console.log(`drawn to ${flags.plot}`);
    return report(mix, sampler);
  } finally {
    await service.stop();
  }
}

leaveServerCore();
const template = await prepareTemplate();
Object.assign(process.env, template.environment);
const database = await createTestDatabase();
try {
  const problems = await soak(database.url);
  for (const problem of problems) console.log(`FAIL ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await database.drop();
  await template.dispose();
}
