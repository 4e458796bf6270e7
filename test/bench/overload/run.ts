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

const formatStatuses = ({ statuses }: Outcome): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${String(status)}: ${String(count)}`)
    .join(', ');

/** Bursts of new connections during an overload. */
async function burstsUnder(nextRequest: () => LoadRequest, perSecond: number): Promise<Outcome> {
  const outcome = new Outcome();
  const load = openLoop(nextRequest, perSecond, { seconds: 2 + BURSTS * 2 });
  const [read] = [nextRequest(), nextRequest()].filter(({ method }) => method === 'GET');
  for (let count = 0; count < BURSTS; count += 1) {
    await delay(2000);
    if (read !== undefined) await burst(read, BURST, outcome);
  }
  await load;
  return outcome;
}

/** The same bursts to a program that only refuses, without other load. */
async function burstsOnFloor(): Promise<Outcome> {
  const outcome = new Outcome();
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
  for (let count = 0; count < BURSTS; count += 1) {
    await delay(500);
    await burst({ url: `${floor.url}/`, method: 'GET', headers: {} }, BURST, outcome);
  }
  await floor.stop();
  return outcome;
}

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
    const bursts = await burstsUnder(nextRequest, capacity * times);
    const floor = await burstsOnFloor();
    const ready = (await fetch(`${service.url}/readyz`)).status;
    const after = await closedLoop(nextRequest, CLIENTS, 3);
    console.log(`capacity ${capacity.toFixed(0)}/s (p99 ${String(calm.within('served', 0.99))} ms)`);
    console.log(
      `${String(times)} times the capacity for ${String(seconds)} s: served ${(heavy.served / seconds).toFixed(0)}/s, ` +
        `${((heavy.served / seconds / capacity) * 100).toFixed(0)} % of capacity (p50 ${String(heavy.within('served', 0.5))} ms, ` +
        `p99 ${String(heavy.within('served', 0.99))} ms); ${formatStatuses(heavy)}`,
    );
    console.log(
      `rejections: p50 ${String(heavy.within('refused', 0.5))} ms, p99 ${String(heavy.within('refused', 0.99))} ms`,
    );
    console.log(
      `${String(BURSTS)} bursts of ${String(BURST)} connections during that load: rejections p50 ${String(bursts.within('refused', 0.5))} ms, ` +
        `p99 ${String(bursts.within('refused', 0.99))} ms; ${formatStatuses(bursts)}. ` +
        `A program that only refuses, without load: p50 ${String(floor.within('refused', 0.5))} ms, p99 ${String(floor.within('refused', 0.99))} ms`,
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
