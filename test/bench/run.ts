import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../../src/infrastructure/postgres/postgres-server.js';
import { requestOnce, checkResponses, measureStartup, type Target } from './check.js';
import type { KnownAnswer } from './floor-memory.js';
import { hasWrk } from './load.js';
import { measure, type Result } from './measure.js';
import { loadAverage, memoryMb, pinning, start, leaveServerCore, type Measured } from './processes.js';
import { ProcessorTime } from './processor-time.js';
import { report } from './report.js';
import { benchSearch } from './search/run.js';
import { growth } from './sizes/run.js';
import { fill, readScenarios, type Scenario, type Values } from './scenarios.js';
import { ARTICLES, idOf, seedContent } from './seed-content.js';
import { withDatabase } from './scratch-database.js';
import { startService } from './service.js';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    /** Output file of the plot. */
    plot: { type: 'string' },
    /** Writes the table to test/bench/README.md. */
    write: { type: 'boolean', default: false },
    /** Compares databases of different sizes instead of service and floors. */
    growth: { type: 'boolean', default: false },
    /** Measures the quality and speed of search over the corpus instead. */
    search: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '1000,100000,1000000' },
  },
});
const rounds = Number(flags.rounds ?? (flags.quick ? 3 : 5));
const seconds = Number(flags.seconds ?? (flags.quick ? 1 : 3));

/** Placeholders for equal requests, or for different ones each time. */
function placeholderValues({ server }: Pick<Scenario, 'server'>, values: Values, etag: string): Values {
  const one = { article: idOf('article', 77), page: '2', skip: '25' };
  const many = {
    article: `${idOf('article', 0).slice(0, -12)}{0x:${ARTICLES}}`,
    page: `{1..${ARTICLES / 25}}`,
    skip: `{0..${ARTICLES / 25 - 1}*25}`,
  };
  return { ...values, etag, ...(server === 'cached' ? one : many) };
}

type Floor = Scenario['floor'] | 'text';

interface Servers {
  readonly cached: Measured;
  readonly missing: Measured;
  readonly floors: Readonly<Record<Floor, Measured>>;
}

async function startServer(ownerUrl: string, cacheMb: string): Promise<Measured> {
  const service = await startService(ownerUrl, { RESPONSE_CACHE_MB: cacheMb });
  return { ...service, name: `headwater, ${cacheMb} MB` };
}

async function startFloor(kind: Floor, env: Record<string, string>, file = ''): Promise<Measured> {
  const port = await freePort();
  const args = ['--import', 'tsx', 'test/bench/floor.ts', kind, String(port), file];
  return start({ name: kind, args, env, port, probe: '/healthz' });
}

/** The server's responses for the memory floor to repeat. */
async function recordAnswers(server: Measured, scenarios: readonly Scenario[]): Promise<KnownAnswer[]> {
  const answers: KnownAnswer[] = [];
  for (const scenario of scenarios.filter(({ floor }) => floor === 'memory')) {
    const answer = await requestOnce(server.url, { ...scenario, headers: unconditionalHeaders(scenario) });
    if (answer.status !== 200) throw new Error(`${scenario.name}: ${answer.status} ${answer.text}`);
    const { method, path: url } = scenario;
    answers.push({
      method,
      url,
      type: answer.type,
      etag: answer.etag,
      bytes: answer.bytes.toString('base64'),
    });
  }
  return answers;
}

function unconditionalHeaders({ headers }: Scenario): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'if-none-match'));
}

async function startAll(ownerUrl: string, values: Values, directory: string): Promise<Servers> {
  const cached = await startServer(ownerUrl, '64');
  const missing = await startServer(ownerUrl, '1');
  const scenarios = (await readScenarios()).map((scenario) =>
    fill(scenario, placeholderValues(scenario, values, '')),
  );
  const file = path.join(directory, 'answers.json');
  await writeFile(file, JSON.stringify(await recordAnswers(cached, scenarios)));
  const env = { DATABASE_URL: ownerUrl, BENCH_VALUES: JSON.stringify(values) };
  const floors = {
    memory: await startFloor('memory', {}, file),
    statements: await startFloor('statements', env),
    text: await startFloor('text', env),
    transaction: await startFloor('transaction', env),
  };
  return { cached, missing, floors };
}

/** Scenarios with placeholders and the current ETag filled in. */
async function prepareScenarios(servers: Servers, values: Values): Promise<Scenario[]> {
  const scenarios = (await readScenarios()).filter(({ name }) => name.includes(flags.only ?? ''));
  const path = fill(
    { method: 'GET', headers: {}, path: '/api/delivery/projects/bench/sites/main/entries/{article}' },
    placeholderValues({ server: 'cached' }, values, ''),
  );
  const { etag } = await requestOnce(servers.cached.url, path);
  return scenarios.map((scenario) => fill(scenario, placeholderValues(scenario, values, etag ?? '')));
}

async function runAll(servers: Servers, values: Values, ownerUrl: string): Promise<Result[]> {
  const results: Result[] = [];
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const processorTime = (pid: number): ProcessorTime => new ProcessorTime(pid, client);
  try {
    for (const scenario of await prepareScenarios(servers, values)) {
      const own: Target = servers[scenario.server];
      const floor: Target = servers.floors[scenario.floor];
      const text = scenario.textTarget === undefined ? undefined : servers.floors.text;
      await checkResponses(scenario, [own, floor]);
      if (text !== undefined) await checkResponses(scenario, [own, text]);
      results.push(await measure(scenario, { own, floor, text }, { rounds, seconds, values, processorTime }));
    }
  } finally {
    await client.end();
  }
  return results;
}

async function bench(ownerUrl: string): Promise<void> {
  const values = await seedContent(ownerUrl);
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-'));
  const servers = await startAll(ownerUrl, values, directory);
  try {
    const results = await runAll(servers, values, ownerUrl);
    const facts = {
      pinning,
      load: await loadAverage(),
      generator: hasWrk ? 'wrk' : 'autocannon',
      rounds,
      seconds,
      memoryMb: await memoryMb(servers.cached.pid),
      startMs: await measureStartup(() => startServer(ownerUrl, '64')),
    };
    await report(results, facts, { plot: flags.plot, writesPage: flags.write });
  } finally {
    const { cached, missing, floors } = servers;
    await Promise.all([cached, missing, ...Object.values(floors)].map((one) => one.stop()));
    await rm(directory, { recursive: true, force: true });
  }
}

leaveServerCore();
if (flags.search) await benchSearch();
else if (flags.growth)
  await growth({ sizes: flags.sizes.split(',').map(Number), rounds, only: flags.only ?? '' });
else await withDatabase(({ url }) => bench(url));
process.exit(0);
