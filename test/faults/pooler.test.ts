import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateDown, migrateUp } from '../../src/persistence/migrations/migrator.js';
import { startBeside, type TestApp, type TestAppOptions } from '../support/app.js';
import { must, send } from '../support/call.js';
import { useOwnApp } from '../support/desk.js';
import { createArticleTypes, createEntry, publish, type TestEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import {
  describeWithPgBouncer,
  makePgBouncer,
  type PgBouncer,
  type PgBouncerOptions,
} from '../support/pgbouncer.js';
import { runCommand } from '../support/service-process.js';
import { cloneDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp();
let project: TestProject;
let pooler: PgBouncer;
const closing: (() => Promise<unknown>)[] = [];

async function open(options: PgBouncerOptions): Promise<PgBouncer> {
  const opened = await makePgBouncer(app().databaseUrl, options);
  await opened.start();
  return opened;
}

/** Another pooler for one test. */
async function openFor(options: PgBouncerOptions): Promise<string> {
  const opened = await open(options);
  closing.push(() => opened.remove());
  return opened.through(app().databaseUrl);
}

/** A service that reaches its database through the pooler, and hears it directly. */
async function startThrough(options: TestAppOptions = {}): Promise<TestApp> {
  const url = pooler.through(app().databaseUrl);
  const urls = { serviceUrl: url, readUrl: url, listenUrl: app().databaseUrl };
  const started = await startBeside(app(), { ...urls, ...options });
  closing.push(() => started.close());
  return started;
}

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describeWithPgBouncer('PgBouncer', () => {
  verifies('operation/poolers');

  beforeAll(async () => {
    project = await createProject(app());
    await createArticleTypes(app(), project);
    pooler = await open({ mode: 'transaction', size: 12 });
  });

  afterAll(() => pooler.remove());

  it.each<{ what: string; mode: PgBouncerOptions; options: (url: string) => TestAppOptions; says: string }>([
    {
      what: 'transaction mode without a direct URL for notifications',
      mode: { mode: 'transaction' },
      options: (url) => ({ serviceUrl: url, readUrl: url }),
      says: 'DATABASE_URL names a pooler in transaction mode, which passes on no notifications: set DATABASE_LISTEN_URL',
    },
    {
      what: 'transaction mode whose sessions are lent in turn, without that URL',
      mode: { mode: 'transaction', takesTurns: true },
      options: (url) => ({ serviceUrl: url, readUrl: url }),
      says: 'set DATABASE_LISTEN_URL',
    },
    {
      what: 'transaction mode for the notifications too',
      mode: { mode: 'transaction' },
      options: (url) => ({ serviceUrl: url, readUrl: url, listenUrl: url }),
      says: 'DATABASE_LISTEN_URL names a pooler in transaction mode',
    },
    {
      what: 'statement mode',
      mode: { mode: 'statement' },
      options: (url) => ({ serviceUrl: url, readUrl: url, listenUrl: app().databaseUrl }),
      says: 'DATABASE_URL names a pooler in statement mode, which has no transactions',
    },
    {
      what: 'transaction mode without the prepared statements that the setting demands',
      mode: { mode: 'transaction' },
      options: (url) => ({
        serviceUrl: url,
        readUrl: url,
        listenUrl: app().databaseUrl,
        preparedStatements: 'on',
      }),
      says: 'set DATABASE_PREPARED_STATEMENTS=off',
    },
  ])('is refused at start in $what', async ({ mode, options, says }) => {
    const url = await openFor(mode);
    await expect(startBeside(app(), options(url))).rejects.toThrow(says);
  });

  it('is refused when notifications would come from another database', async () => {
    const url = pooler.through(app().databaseUrl);
    const listenUrl = await cloneDatabase();
    await expect(startBeside(app(), { serviceUrl: url, readUrl: url, listenUrl })).rejects.toThrow(
      'DATABASE_LISTEN_URL names another database than DATABASE_URL',
    );
  });

  it('ends the start of a process with one line that names the cause', async () => {
    const { code, output } = await runCommand(pooler.through(app().databaseUrl), ['main']);
    expect([code, output.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^headwater: DATABASE_URL names a pooler in transaction mode, .+\.$/)],
    ]);
  });

  it('serves a process with the role all, which hears of changes and runs jobs', async () => {
    const all = await startThrough({ role: 'all' });
    await all.composition.jobs.start();
    await expectService(all);
    await expectNothingLeft();
  });

  it('serves processes with the roles api and worker', async () => {
    const api = await startThrough({ role: 'api' });
    const worker = await startThrough({ role: 'worker' });
    // Without its queue, the first could not wake the second.
    await api.composition.jobs.start();
    await worker.composition.jobs.start();
    await expectService(api);
    await expectNothingLeft();
  });

  it('serves in session mode without another URL', async () => {
    const url = await openFor({ mode: 'session', size: 60 });
    const service = await startBeside(app(), { serviceUrl: url, readUrl: url, poolSize: 4 });
    closing.push(() => service.close());
    await service.composition.jobs.start();
    await expectService(service);
  });

  it('that restarts under load loses no acknowledged write, and requests recover', async () => {
    const service = await startThrough({
      timeouts: { connectionMs: 1000, statementMs: 2000, lockMs: 1000, idleMs: 5000 },
    });
    const kept: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const write = async (): Promise<void> => {
      while (!isOver) {
        const made = await create(service);
        statuses.add(made.status);
        if (made.status === 201) kept.push((made.body as { data: TestEntry }).data.id);
        else await delay(10);
      }
    };
    const writers = Promise.all(Array.from({ length: 4 }, write));
    for (let round = 0; round < 2; round += 1) {
      const before = kept.length;
      await waitFor('writes are acknowledged', () => kept.length > before + 10);
      await pooler.kill();
      await pooler.start();
    }
    const before = kept.length;
    await waitFor('writes are acknowledged again', () => kept.length > before + 10);
    isOver = true;
    await writers;
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const sql = 'SELECT count(*)::int AS count FROM entries WHERE id = ANY ($1)';
    const [stored] = await app().rows<{ count: number }>(project.tenantId, sql, [kept]);
    expect(stored?.count).toBe(kept.length);
  });

  it('leaves no lock of a migration behind, and two at once migrate once', async () => {
    const url = await cloneDatabase();
    const pooled = pooler.through(url);
    await migrateDown({ url: pooled });
    const applied = await Promise.all([migrateUp({ url: pooled }), migrateUp({ url: pooled })]);
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await migrateUp({ url })).toEqual([]);
    expect(await runCommand(pooled, ['migrate'])).toMatchObject({ code: 0 });
  });
});

const create = (service: TestApp) =>
  send(service, {
    method: 'POST',
    path: `${project.management}/entries`,
    key: project.keys.management,
    body: { contentTypeApiName: 'article', siteId: project.siteId, fields: { title: 'Kept' } },
  });

const titleAt = async (service: TestApp, id: string): Promise<unknown> => {
  const { body } = await service.request
    .get(`${project.delivery}/entries/${id}`)
    .set('Authorization', `Bearer ${project.keys.delivery}`);
  return body.data?.fields.title ?? body.error;
};

/** Writes, reads, hears of changes by another process, and does scheduled work. */
async function expectService(service: TestApp): Promise<void> {
  const entry = await createEntry(service, project, {
    contentTypeApiName: 'article',
    fields: { title: 'Before' },
  });
  await publish(service, project, entry.id);
  await waitFor('it hears of changes', () => service.composition.coherence.isFresh);
  expect(await titleAt(service, entry.id)).toBe('Before');
  const key = project.keys.management;
  const path = `${project.management}/entries/${entry.id}`;
  const { version } = await must<TestEntry>(service, { method: 'GET', path, key });
  await must(app(), { method: 'PUT', path, key, body: { version, fields: { title: 'After' } } });
  await publish(app(), project, entry.id);
  await waitFor('the change has arrived', async () => (await titleAt(service, entry.id)) === 'After');
  const later = await createEntry(service, project, {
    contentTypeApiName: 'article',
    fields: { title: 'Later' },
  });
  const scheduledAt = new Date(Date.now() + 500).toISOString();
  const schedule = `${project.management}/entries/${later.id}/publish`;
  expect((await send(service, { method: 'POST', path: schedule, key, body: { scheduledAt } })).status).toBe(
    202,
  );
  await waitFor('the schedule has run', async () => (await titleAt(service, later.id)) === 'Later');
  expect((await service.request.get('/readyz')).status).toBe(200);
}

const stateOfSession = `SELECT current_setting('role') AS role, current_setting('statement_timeout') AS timeout,
  current_setting('default_transaction_read_only') AS "readOnly", current_setting('plan_cache_mode') AS plans,
  coalesce(current_setting('headwater.tenant_id', true), '') AS tenant, current_setting('client_min_messages') AS messages,
  (SELECT count(*)::int FROM pg_prepared_statements) AS prepared,
  (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`;

/** Every session of the pooler is as a new one for its next client. */
async function expectNothingLeft(): Promise<void> {
  const clients = Array.from(
    { length: 6 },
    () => new pg.Client({ connectionString: pooler.through(app().databaseUrl) }),
  );
  for (const client of clients) await client.connect();
  const states: unknown[] = [];
  for (const client of clients) {
    await client.query('BEGIN');
    states.push(...(await client.query(stateOfSession)).rows);
  }
  await Promise.all(clients.map((client) => client.end()));
  for (const state of states)
    expect(state).toEqual({
      role: 'none',
      timeout: '0',
      readOnly: 'off',
      plans: 'auto',
      messages: 'notice',
      prepared: 0,
      locks: 0,
      tenant: '',
    });
}
