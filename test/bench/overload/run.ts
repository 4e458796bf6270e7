import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareTemplate } from '../../support/prepare-template.js';
import { ServiceProcess } from '../../support/service-process.js';
import { createTestDatabase } from '../../support/test-postgres.js';
import { KillClient } from '../kill/client.js';
import { preparePlace } from '../kill/place.js';
import { freePort } from '../../../src/infrastructure/postgres/postgres-server.js';
import { start } from '../processes.js';
import { burst } from './burst.js';
import { closedLoop, openLoop, Outcome, type LoadRequest } from './load.js';

const { values: flags } = parseArgs({ options: { times: { type: 'string' }, seconds: { type: 'string' } } });
const times = Number(flags.times ?? 3);
const seconds = Number(flags.seconds ?? 10);
const CLIENTS = 16;
/** Connections that arrive at once while the service is overloaded, and how often. */
const BURST = 1000;
const BURSTS = 5;
const BURST_PAUSE_MS = 2000;
/** Longer than the bursts. */
const LOAD_SECONDS = 2 + (BURSTS * BURST_PAUSE_MS) / 1000;
/** Statuses allowed under overload. */
const expected: ReadonlySet<number> = new Set([200, 201, 429, 503]);

/** One creation per four list reads. */
function mixedRequests(
  url: string,
  { management, siteId, key }: { management: string; siteId: string; key: string },
): () => LoadRequest {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  let count = 0;
  return () => {
    count += 1;
    if (count % 5 !== 0) return { url: `${url}${management}/entries?limit=10`, method: 'GET', headers };
    const body = JSON.stringify({
      contentTypeApiName: 'article',
      siteId,
      fields: { title: `Load ${String(count)}` },
    });
    return { url: `${url}${management}/entries`, method: 'POST', headers, body };
  };
}

function nextRead(nextRequest: () => LoadRequest): LoadRequest {
  const request = nextRequest();
  return request.method === 'GET' ? request : nextRead(nextRequest);
}

const formatStatuses = ({ statuses }: Outcome): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${String(status)}: ${String(count)}`)
    .join(', ');

/** Bursts of new connections, one every two seconds. */
async function burstsOn(target: LoadRequest): Promise<Outcome> {
  const outcome = new Outcome();
  for (let count = 0; count < BURSTS; count += 1) {
    await delay(BURST_PAUSE_MS);
    await burst(target, BURST, outcome);
  }
  return outcome;
}

/** Runs while the service is overloaded. */
async function besideLoad<T>(load: () => Promise<Outcome>, run: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([run(), load()]);
  return result;
}

/** The same bursts to a program that only refuses, without other load and beside that of the service. */
async function burstsOnFloor(load: () => Promise<Outcome>): Promise<{ alone: Outcome; beside: Outcome }> {
  const port = await freePort();
  const args = ['--import', 'tsx', 'test/bench/overload/floor.ts', String(port)];
  const floor = await start({
    name: 'floor',
    args,
    env: {},
    port,
    probe: '/',
    isUnpinned: true,
    status: 503,
  });
  const target: LoadRequest = { url: `${floor.url}/`, method: 'GET', headers: {} };
  const alone = await burstsOn(target);
  const beside = await besideLoad(load, () => burstsOn(target));
  await floor.stop();
  return { alone, beside };
}

const formatRefusals = (outcome: Outcome): string =>
  `p50 ${String(outcome.within('refused', 0.5))} ms, p99 ${String(outcome.within('refused', 0.99))} ms`;

async function overload(databaseUrl: string): Promise<string[]> {
  const client = new KillClient();
  const service = await ServiceProcess.start(databaseUrl, { SHUTDOWN_DELAY_SECONDS: '0' });
  client.service = service;
  try {
    const nextRequest = mixedRequests(service.url, await preparePlace(client, databaseUrl));
    await closedLoop(nextRequest, CLIENTS, 2);
    const calm = await closedLoop(nextRequest, CLIENTS, 4);
    const capacity = calm.served / 4;
    const heavy = await openLoop(nextRequest, capacity * times, { seconds });
    const load = () => openLoop(nextRequest, capacity * times, { seconds: LOAD_SECONDS });
    const read = nextRead(nextRequest);
    const bursts = await besideLoad(load, () => burstsOn(read));
    const floor = await burstsOnFloor(load);
    const ready = (await fetch(`${service.url}/readyz`)).status;
    const after = await closedLoop(nextRequest, CLIENTS, 3);
    console.log(`capacity ${capacity.toFixed(0)}/s (p99 ${String(calm.within('served', 0.99))} ms)`);
    console.log(
      `${String(times)} times the capacity for ${String(seconds)} s: served ${(heavy.served / seconds).toFixed(0)}/s, ` +
        `${((heavy.served / seconds / capacity) * 100).toFixed(0)} % of capacity (p50 ${String(heavy.within('served', 0.5))} ms, ` +
        `p99 ${String(heavy.within('served', 0.99))} ms); ${formatStatuses(heavy)}`,
    );
    console.log(`rejections: ${formatRefusals(heavy)}`);
    console.log(
      `${String(BURSTS)} bursts of ${String(BURST)} connections during that load: rejections ${formatRefusals(bursts)}; ${formatStatuses(bursts)}. ` +
        `A program that only refuses, beside the same load: ${formatRefusals(floor.beside)}; without load: ${formatRefusals(floor.alone)}`,
    );
    console.log(
      `afterwards ${(after.served / 3).toFixed(0)}/s; ${formatStatuses(after)}; readiness ${String(ready)}`,
    );
    const unexpected = [heavy, bursts, after]
      .flatMap(({ statuses }) => [...statuses.keys()])
      .filter((status) => !expected.has(status));
    return [
      ...(unexpected.length > 0 ? [`unexpected responses: ${unexpected.join(', ')}`] : []),
      ...(ready === 200 ? [] : ['the service is not ready']),
      ...(after.served / 3 > capacity / 2 ? [] : ['the service serves less than half its capacity']),
    ];
  } finally {
    await service.kill('SIGTERM');
  }
}

const template = await prepareTemplate();
Object.assign(process.env, template.environment);
const database = await createTestDatabase();
try {
  const problems = await overload(database.url);
  for (const problem of problems) console.log(`FAIL ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await database.drop();
  await template.dispose();
}
