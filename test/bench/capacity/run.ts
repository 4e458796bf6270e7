import { availableParallelism } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { median } from '../growth/median.js';
import { loadAverage, type Measured } from '../processes.js';
import { fill, readScenarios, type Request, type Values } from '../scenarios.js';
import { ARTICLES, idOf, seedContent } from '../seed-content.js';
import { startSink } from '../sink.js';
import { withDatabase } from '../scratch-database.js';
import { startService } from '../service.js';
import { measureLoad, postmasterOf, timesOf, treeTime, type Run } from './costs.js';
import { capacity, writeCapacity, type Costs } from './model.js';
import { simulateClosed, type RequestCost } from './simulation.js';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
});
const [rounds, seconds] = [Number(flags.rounds), Number(flags.seconds)];
const CONNECTIONS = 48;
const POOL = 10;
const cores = availableParallelism();

const medianCost = (runs: readonly Run[]): RequestCost => {
  const of = (name: keyof RequestCost): number => median(runs.map(({ cost }) => cost[name]));
  return {
    process: of('process'),
    helpers: of('helpers'),
    database: of('database'),
    generator: of('generator'),
  };
};

async function requestOf(name: string, values: Values): Promise<Request> {
  const scenario = (await readScenarios()).find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario ${name}.`);
  return fill(scenario, values);
}

interface Stage {
  readonly url: string;
  readonly client: pg.Client;
  readonly postmaster: number;
  readonly values: Values;
}

const settings = { RESPONSE_CACHE_MB: '1', RATE_LIMITS: '0', HEADWATER_ROLE: 'api' };

interface Comparison {
  readonly runs: readonly Run[];
  /** Measured in other runs of as many processes. */
  readonly cost: RequestCost;
  /** With one process. */
  readonly one: RequestCost;
}

function showComparison(name: string, processes: number, { runs, cost, one }: Comparison): void {
  const coresLeft = median(runs.map((run) => run.coresLeft));
  const found = median(runs.map(({ requestsPerSecond }) => requestsPerSecond));
  const load = {
    processes,
    cores: coresLeft,
    connections: CONNECTIONS,
    poolSize: POOL,
    milliseconds: 4000,
    seed: 7,
  };
  const shown = (own: RequestCost): string => {
    const { requestsPerSecond } = simulateClosed({ ...load, cost: own });
    return `${requestsPerSecond.toFixed(0)}/s (${((requestsPerSecond / found - 1) * 100).toFixed(0)} %)`;
  };
  console.log(
    `${name}: measured ${found.toFixed(0)}/s, predicted ${shown(cost)}, by the costs of one process ${shown(one)}; ` +
      `cores left by others ${coresLeft.toFixed(2)} of ${String(cores)}; ms a request: process ${cost.process.toFixed(3)}, ` +
      `other threads ${cost.helpers.toFixed(3)}, database ${cost.database.toFixed(3)}, load generator ${cost.generator.toFixed(3)}`,
  );
}

/** Measured and predicted requests per second with one process and with four. */
async function compare(stage: Stage, kind: 'hit' | 'miss', servers: ReadonlyMap<number, Measured>) {
  const article =
    kind === 'hit' ? idOf('article', 77) : `${idOf('article', 0).slice(0, -12)}{0x:${String(ARTICLES)}}`;
  const request = await requestOf(`entry, ${kind}`, { ...stage.values, article });
  const measure = (count: number): Promise<Run> => {
    const server = servers.get(count);
    if (server === undefined) throw new Error(`No service has ${String(count)} processes.`);
    const place = { ...server, postmaster: stage.postmaster };
    return measureLoad(place, request, { seconds, connections: CONNECTIONS, cores });
  };
  const counts = [...servers.keys()];
  const calibrated = new Map(counts.map((count) => [count, [] as Run[]]));
  const measured = new Map(counts.map((count) => [count, [] as Run[]]));
  for (const count of counts) await measure(count);
  for (let round = 0; round < rounds; round += 1)
    for (const runs of [calibrated, measured])
      for (const count of round % 2 === 0 ? counts : counts.toReversed())
        runs.get(count)?.push(await measure(count));
  const one = medianCost(calibrated.get(1) ?? []);
  for (const count of counts)
    showComparison(`${kind}, ${String(count)} ${count === 1 ? 'process' : 'processes'}`, count, {
      runs: measured.get(count) ?? [],
      cost: medianCost(calibrated.get(count) ?? []),
      one,
    });
  const total = one.process + one.helpers + one.database + one.generator;
  console.log(
    `${kind}: on ${String(cores)} cores, four processes serve at most ${((cores * one.process) / total).toFixed(2)} times what one does: ` +
      'one is bound by its thread, four by the cores that they share with the database and the load generator',
  );
  return { cost: one, bytes: median((calibrated.get(1) ?? []).map(({ bytes }) => bytes)) };
}

const outboxSize = async ({ client }: Stage): Promise<number> => {
  const { rows } = await client.query<{ left: number }>('SELECT count(*)::int AS left FROM outbox_events');
  return rows[0]?.left ?? 0;
};

const LISTENERS = 40;

/** Commits that notify, on eight connections that do nothing else: milliseconds each, of the clock and of the database. */
async function commits({ url, postmaster }: Stage, listeners: number) {
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const clients = await Promise.all(Array.from({ length: 8 }, open));
  const listening = await Promise.all(Array.from({ length: listeners }, open));
  for (const client of listening) await client.query('LISTEN capacity');
  const before = await treeTime(postmaster);
  let count = 0;
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < until; count += 1)
        await client.query(
          "BEGIN; INSERT INTO capacity_commits VALUES (1); SELECT pg_notify('capacity', 'x'); COMMIT",
        );
    }),
  );
  const spent = (await treeTime(postmaster)) - before;
  await Promise.all([...clients, ...listening].map((client) => client.end()));
  return { commit: (seconds * 1000) / count, databaseMs: spent / count };
}

/** PostgreSQL takes a lock for each commit that notifies until it is on disk. */
async function notifyCosts(stage: Stage): Promise<Pick<Costs, 'commit' | 'noticeInDatabase'>> {
  await stage.client.query('CREATE TABLE capacity_commits (n integer)');
  const [alone, heard] = [await commits(stage, 0), await commits(stage, LISTENERS)];
  const noticeInDatabase = Math.max(0, heard.databaseMs - alone.databaseMs) / LISTENERS;
  return { commit: alone.commit, noticeInDatabase };
}

/** Costs of a write in the process that serves it, in another one, in the database and in a worker. */
async function measureWrites(stage: Stage, server: Measured) {
  const request = await requestOf('create, then publish', stage.values);
  const other = await startService(stage.url, settings);
  const receiver = await startSink();
  const place = { ...server, postmaster: stage.postmaster };
  const options = { seconds, connections: 8, cores };
  const hook = await fetch(`${server.url}/api/v1/projects/bench/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stage.values.managementKey ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'All', url: receiver.url, events: ['*'] }),
  });
  if (!hook.ok) throw new Error(await hook.text());
  try {
    await measureLoad(place, request, options);
    const idle = await timesOf({ ...other, postmaster: stage.postmaster });
    const run = await measureLoad(place, request, options);
    const notified = await timesOf({ ...other, postmaster: stage.postmaster });
    const requests = run.requestsPerSecond * seconds;
    const events = await outboxSize(stage);
    const worker = await startService(stage.url, {
      ...settings,
      HEADWATER_ROLE: 'worker',
      WEBHOOK_ALLOW_LOOPBACK: '1',
      EDGE_PURGE: 'http',
      EDGE_PURGE_URL: receiver.url,
    });
    const startedAt = performance.now();
    const before = await timesOf({ ...worker, postmaster: stage.postmaster });
    while ((await outboxSize(stage)) > 0) await delay(50);
    const outboxPerSecond = (events / (performance.now() - startedAt)) * 1000;
    const after = await timesOf({ ...worker, postmaster: stage.postmaster });
    await worker.stop();
    return {
      writeInProcess: run.cost.process + run.cost.helpers,
      writeInDatabase: run.cost.database,
      noticeInProcess: (notified.all - idle.all) / requests,
      writeInWorker: (after.all - before.all) / events,
      outboxPerSecond,
    };
  } finally {
    await other.stop();
    receiver.close();
  }
}

function showCapacity(costs: Costs): void {
  console.log(
    `costs ${JSON.stringify(costs, (_name, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))}`,
  );
  console.log(
    'processes, hit rate, writes a second: reads a second at 70 %, what is full first; writes at most',
  );
  for (const processes of [1, 10, 100])
    for (const hitRate of [0.99, 0.9, 0.5])
      for (const writesPerSecond of [1, 50]) {
        const topology = { processes, databaseCores: 16, workers: 1, networkBits: 10e9 };
        const mix = { hitRate, writesPerSecond, purgedCaches: 10 };
        const found = capacity({ costs, topology, mix });
        const most = writeCapacity({ costs, topology, mix });
        console.log(
          `${String(processes)}, ${String(hitRate)}, ${String(writesPerSecond)}: ${found.readsPerSecond.toFixed(0)}, ${found.first}; ` +
            `${most.writesPerSecond.toFixed(0)}, ${most.first}`,
        );
      }
}

async function measure(url: string): Promise<void> {
  const values = await seedContent(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT set_config('headwater.backup', 'on', false)");
  const stage = { url, client, values, postmaster: await postmasterOf(client) };
  const unpinned = { ...settings, DATABASE_POOL_SIZE: String(POOL), WEBHOOK_ALLOW_LOOPBACK: '1' };
  const servers = new Map<number, Measured>();
  try {
    for (const count of [1, 4])
      servers.set(count, await startService(url, { ...unpinned, HEADWATER_PROCESSES: String(count) }, true));
    const hit = await compare(stage, 'hit', servers);
    const miss = await compare(stage, 'miss', servers);
    const writes = await measureWrites(stage, servers.get(1)!);
    showCapacity({
      hit: hit.cost.process + hit.cost.helpers,
      missInProcess: miss.cost.process + miss.cost.helpers,
      missInDatabase: miss.cost.database,
      ...writes,
      ...(await notifyCosts(stage)),
      responseBytes: hit.bytes,
    });
    console.log(`load ${await loadAverage()}`);
  } finally {
    await client.end();
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
}

await withDatabase(({ url }) => measure(url));
process.exit(0);
