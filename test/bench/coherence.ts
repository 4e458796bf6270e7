import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { commandScope } from '../../src/cli/command-scope.js';
import { OperationsClient } from '../../src/cli/operations-client.js';
import { compose } from '../../src/composition.js';
import { createSuperAdmin } from '../../src/features/sessions/index.js';
import { startEmbeddedPostgres } from '../../src/infrastructure/embedded-postgres.js';
import { freePort } from '../../src/infrastructure/postgres-server.js';
import { migrateUp } from '../../src/persistence/migrator.js';
import {
  changingEntry,
  changingKey,
  changingPage,
  changingRule,
  Client,
  type Change,
  type Subject,
} from './coherence-subjects.js';
import { start, type Measured } from './processes.js';
import { composeOptions, sessionSecret } from './seed-content.js';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    /** Cuts the connections that hear of changes, at random. */
    cut: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);

/** What the checker saw. */
const seen = {
  changes: new Map<string, number>(),
  staleHere: [] as string[],
  delaysElsewhere: [] as number[],
  staleLater: [] as string[],
  cuts: 0,
};

/** Longer than this nothing may be out of date anywhere. */
const GIVEN_UP_MS = 5000;

async function waitFor({ look, expected, kind }: Change, base: string): Promise<void> {
  const acknowledged = performance.now();
  while ((await look(base)) !== expected) {
    if (performance.now() - acknowledged > GIVEN_UP_MS) {
      seen.staleLater.push(`${kind}: never`);
      return;
    }
    await delay(2);
  }
  seen.delaysElsewhere.push(performance.now() - acknowledged);
  for (let again = 0; again < 3; again += 1) {
    const now = await look(base);
    if (now !== expected) seen.staleLater.push(`${kind}: ${now}, not ${expected}`);
  }
}

async function check(change: Change, here: string, elsewhere: string): Promise<void> {
  const { kind, look, expected } = change;
  seen.changes.set(kind, (seen.changes.get(kind) ?? 0) + 1);
  const now = await look(here);
  if (now !== expected) seen.staleHere.push(`${kind}: ${now}, not ${expected}`);
  await waitFor(change, elsewhere);
}

async function write(subject: Subject, pair: readonly string[], until: number): Promise<void> {
  for (let turn = 0; performance.now() < until; turn += 1) {
    const [here = '', elsewhere = ''] = Math.random() < 0.5 ? pair : [...pair].reverse();
    const changes = await subject(here, turn);
    await Promise.all(changes.map((change) => check(change, here, elsewhere)));
    await delay(Math.random() * 20);
  }
}

/** Ends the connections that hear of changes, now one, now all. */
async function cutAtRandom(url: string, until: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  while (performance.now() < until) {
    await delay(500 + Math.random() * 2000);
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'headwater_listener' AND datname = current_database() AND random() < 0.7`,
    );
    seen.cuts += rowCount ?? 0;
  }
  await client.end();
}

async function makeProject(client: OperationsClient, slug: string): Promise<Client> {
  await client.call('tenants', 'create', {
    slug,
    name: slug,
    locales: ['en'],
    project: { slug, name: slug },
  });
  const projectSlug = slug;
  const { data: site } = await client.call('sites', 'create', { projectSlug, slug: 'main', name: 'Main' });
  const types = [
    { apiName: 'note', name: 'Note', isPage: false },
    { apiName: 'page', name: 'Page', isPage: true },
  ];
  for (const type of types) {
    const fields = [{ apiName: 'title', type: 'text' as const }];
    await client.call('contentTypes', 'create', { projectSlug, ...type, fields });
  }
  const key = async (type: 'delivery' | 'management') =>
    (await client.call('apiKeys', 'create', { projectSlug, name: type, type })).data.secret;
  return new Client(slug, { delivery: await key('delivery'), management: await key('management') }, site.id);
}

async function makeProjects(url: string): Promise<readonly [Client, Client]> {
  const composition = await compose(composeOptions(url));
  try {
    const login = { email: 'coherence@example.com', password: 'a password of the benchmark' };
    const request = { scope: commandScope('bench'), isReadOnly: false, lock: 'none' } as const;
    await composition.services.units.run(request, (work) =>
      createSuperAdmin(work, { ...login, name: 'Bench' }),
    );
    const client = await OperationsClient.login(composition, login);
    return [await makeProject(client, 'open'), await makeProject(client, 'guarded')];
  } finally {
    await composition.close();
  }
}

async function startServer(url: string): Promise<Measured> {
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    PORT: String(port),
    SESSION_JWT_SECRET: sessionSecret,
    HEADWATER_SEED_DEMO: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: '0',
  };
  return start({ name: 'headwater', args: ['dist/main.js'], env, port, probe: '/readyz' });
}

function report(): void {
  const sorted = [...seen.delaysElsewhere].sort((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0);
  const lines = [...seen.changes].map(([kind, count]) => `  ${kind}: ${count}`);
  process.stdout.write(
    `Changes checked, each on both processes:\n${lines.sort().join('\n')}\n` +
      `Connections cut: ${seen.cuts}.\n` +
      `Reads after an acknowledged write on the same process that did not show it: ${seen.staleHere.length}.\n` +
      `Until the other process showed it: ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(0.99999)} ms at most.\n` +
      `Reads that showed the old state after that: ${seen.staleLater.length}.\n` +
      [...seen.staleHere, ...seen.staleLater].slice(0, 20).join('\n'),
  );
}

async function run(url: string): Promise<void> {
  await migrateUp({ url });
  const [open, guarded] = await makeProjects(url);
  const servers = [await startServer(url), await startServer(url)];
  const pair = servers.map((server) => server.url);
  try {
    const until = performance.now() + seconds * 1000;
    const subjects = [
      ...Array.from({ length: 6 }, (_, n) => changingEntry(open, `note${n}`)),
      ...Array.from({ length: 2 }, (_, n) => changingPage(open, `page${n}`)),
      changingKey(open),
      changingRule(guarded),
    ];
    const cutting = flags.cut ? [cutAtRandom(url, until)] : [];
    await Promise.all([...subjects.map((subject) => write(subject, pair, until)), ...cutting]);
    report();
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const directory = await mkdtemp(path.join(tmpdir(), 'headwater-coherence-'));
const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined });
try {
  await run(ownerUrl);
} finally {
  await stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(seen.staleHere.length + seen.staleLater.length === 0 ? 0 : 1);
