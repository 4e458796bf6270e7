import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { applyStep, migrateUp, pendingMigrations } from '../../src/persistence/migrations/migrator.js';
import { MigrationLease } from '../../src/persistence/migrations/owner-connection.js';
import { longLocks } from '../../src/persistence/migrations/migration-check.js';
import {
  describePlan,
  locksOf,
  statementsOf,
  withStorageAfterwards,
} from '../../src/persistence/migrations/plan.js';
import { migrations } from '../../src/persistence/migrations/steps/index.js';
import { send } from '../support/call.js';
import { useOwnApp } from '../support/desk.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { runCommand } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp();
let project: TestProject;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openLease(): Promise<MigrationLease> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  closing.push(() => client.end());
  const lease = new MigrationLease(client);
  expect(await lease.take()).toBeUndefined();
  closing.unshift(() => lease.release());
  return lease;
}

/** Changes entries until told to stop; returns the statuses of the answers. */
function writeBeside(): { statuses: Set<number>; count: () => number; stop: () => Promise<void> } {
  const statuses = new Set<number>();
  let written = 0;
  let isOver = false;
  const write = async (): Promise<void> => {
    const draft = { contentTypeApiName: 'article', fields: { title: 'One' } };
    const { id } = await createEntry(app(), project, draft);
    while (!isOver) {
      const path = `${project.management}/entries/${id}/publish`;
      const answer = await send(app(), { method: 'POST', path, key: project.keys.management, body: {} });
      statuses.add(answer.status);
      written += 1;
    }
  };
  const writers = Promise.all([write(), write(), write()]);
  const stop = async (): Promise<void> => {
    isOver = true;
    await writers;
  };
  return { statuses, count: () => written, stop };
}

const reordered = `
  ALTER TABLE outbox_events ADD COLUMN added int;
  ALTER TABLE audit_events ADD COLUMN added int;
  ALTER TABLE published_entries ADD COLUMN added int;
  ALTER TABLE entry_locales ADD COLUMN added int;
  ALTER TABLE entries ADD COLUMN added int;
  CREATE INDEX added_index ON entry_versions (environment_id);`;
const undone = `
  DROP INDEX added_index;
  ALTER TABLE entries DROP COLUMN added;
  ALTER TABLE outbox_events DROP COLUMN added;
  ALTER TABLE entry_locales DROP COLUMN added;
  ALTER TABLE published_entries DROP COLUMN added;
  ALTER TABLE audit_events DROP COLUMN added;`;

const columnExists = async (): Promise<boolean> =>
  (await app().rows(null, "SELECT FROM pg_attribute WHERE attname = 'added' AND NOT attisdropped")).length >
  0;

describe('Migrations beside a process that serves', () => {
  verifies('operation/migrations-beside');

  it('change tables that writers use, in any order, without a failed request', async () => {
    const lease = await openLease();
    const { statuses, count, stop } = writeBeside();
    for (const sql of [reordered, undone, reordered, undone]) {
      const before = count();
      await applyStep(lease, sql);
      await waitFor('writes go on', () => count() > before + 3);
    }
    await stop();
    expect([...statuses]).toEqual([200]);
  });

  it('wait for a long transaction without holding up requests for as long', async () => {
    const lease = await openLease();
    const holder = new pg.Client({ connectionString: app().databaseUrl });
    await holder.connect();
    closing.push(() => holder.end());
    await holder.query('BEGIN; LOCK TABLE entries IN ACCESS SHARE MODE');
    let isApplied = false;
    const step = applyStep(lease, reordered).then(() => {
      isApplied = true;
    });
    const draft = { contentTypeApiName: 'article', fields: { title: 'Two' } };
    for (let n = 0; n < 5; n += 1) await createEntry(app(), project, draft);
    expect(isApplied).toBe(false);
    await holder.query('ROLLBACK');
    await step;
    await applyStep(lease, undone);
  });

  it('that fail leave nothing behind, and the version that serves can start', async () => {
    const lease = await openLease();
    await expect(applyStep(lease, `${reordered} SELECT 1 / 0;`)).rejects.toThrow('division by zero');
    expect(await columnExists()).toBe(false);
    await lease.release();
    await app().rows(null, "INSERT INTO schema_migrations (name) VALUES ('9999-newer')");
    expect(await pendingMigrations({ url: app().databaseUrl })).toEqual([]);
    expect((await app().request.get('/readyz')).status).toBe(200);
    await app().rows(null, "DELETE FROM schema_migrations WHERE name = '9999-newer'");
  });

  it('end when another process has taken over the migration lock', async () => {
    const lease = await openLease();
    await app().rows(null, "UPDATE schema_lease SET until = now() - interval '1 s'");
    const other = await openLease();
    await expect(applyStep(lease, reordered)).rejects.toThrow(
      /^The migration was interrupted for too long, and process \d+ on .+ migrates now\.$/,
    );
    expect(await columnExists()).toBe(false);
    await other.release();
  });

  it('keep the lock while a step takes longer than it lasts', async () => {
    const lease = await openLease();
    const other = new MigrationLease(
      await (async () => {
        const client = new pg.Client({ connectionString: app().databaseUrl });
        await client.connect();
        closing.push(() => client.end());
        return client;
      })(),
    );
    const taken: (string | undefined)[] = [];
    await lease.transact(async () => {
      await lease.client.query("UPDATE schema_lease SET until = now() - interval '1 s'");
      taken.push(await other.take());
    });
    expect(taken).toEqual([expect.stringMatching(/^the migration lock, which process \d+ on .+ holds$/)]);
  });
});

describe('The plan of a migration', () => {
  verifies('operation/migrations-beside');

  it('names the pending statements with their locks, and applies none', async () => {
    const last = migrations.at(-1)?.name;
    await app().rows(null, 'DELETE FROM schema_migrations WHERE name = $1', [last]);
    const planned = await runCommand(app().databaseUrl, ['migrate', '--plan']);
    const [stored] = await app().rows<{ count: number }>(
      null,
      'SELECT count(*)::int AS count FROM schema_migrations WHERE name = $1',
      [last],
    );
    await app().rows(null, 'INSERT INTO schema_migrations (name) VALUES ($1)', [last]);
    expect([planned.code, stored?.count]).toEqual([0, 0]);
    expect(planned.output).toMatch(
      new RegExp(
        `^-- ${String(last)}, one transaction, at whose end the locks are released\\n(?:-- {3}.+\\n)+[A-Z](?:(?!\\n--)[\\s\\S])*;\\n$`,
      ),
    );
  });

  it('has the estimated rows of tables that were analyzed', () => {
    const sized = new Map([
      ['entries', 123_456],
      ['sites', -1],
    ]);
    const up = 'CREATE INDEX a ON entries (b); ALTER TABLE sites ADD c int';
    expect(
      describePlan([{ name: 'new', up }], sized)
        .split('\n')
        .slice(1, 3),
    ).toEqual([
      '--   SHARE on entries: writers wait, estimated at 123,456 rows and 0.7 seconds for an index',
      '--   ACCESS EXCLUSIVE on sites: readers and writers wait',
    ]);
  });

  it('is refused by the check where a later migration builds several indexes of a table that exists', () => {
    const index = (name: string, table: string): string => `CREATE INDEX ${name} ON ${table} (a);`;
    const two = index('a', 'entries') + index('b', 'entries');
    const others = `CREATE TABLE made (a int); ${index('c', 'made')} ${index('d', 'made')} ${index('e', 'sites')}`;
    const later = (up: string) => longLocks([{ name: '9999-later', up, down: '' }]);
    expect(later(two + others)).toEqual([
      '9999-later builds several indexes of entries: make a migration of each',
    ]);
    expect(later(others)).toEqual([]);
    expect(longLocks(migrations)).toEqual([]);
  });

  it('says that nothing is pending', async () => {
    expect(await migrateUp({ url: app().databaseUrl })).toEqual([]);
    const { output } = await runCommand(app().databaseUrl, ['migrate', '--plan']);
    expect(output).toBe('No pending migrations.\n');
  });

  it('finds the ends of statements outside of texts, functions and comments', () => {
    const sql = `CREATE FUNCTION f() RETURNS void AS $do$ BEGIN; END $do$; -- a; b
      UPDATE entries SET slug = 'a;''b'; /* ; */ SELECT ";"`;
    expect(statementsOf(sql)).toEqual([
      'CREATE FUNCTION f() RETURNS void AS $do$ BEGIN; END $do$',
      expect.stringMatching(/UPDATE entries SET slug = 'a;''b'$/),
      '/* ; */ SELECT ";"',
    ]);
  });

  it.each([
    ['ALTER TABLE entries ADD COLUMN a int', ['entries: ACCESS EXCLUSIVE']],
    [
      'ALTER TABLE entries ADD FOREIGN KEY (a) REFERENCES sites (id)',
      ['entries: SHARE ROW EXCLUSIVE', 'sites: SHARE ROW EXCLUSIVE'],
    ],
    ['ALTER TABLE ONLY entries VALIDATE CONSTRAINT a', ['entries: SHARE UPDATE EXCLUSIVE']],
    ['CREATE TABLE a (b uuid REFERENCES entries ON DELETE CASCADE)', ['entries: SHARE ROW EXCLUSIVE']],
    ['CREATE UNIQUE INDEX a ON entries (b)', ['entries: SHARE']],
    ['CREATE INDEX CONCURRENTLY a ON entries (b)', ['entries: SHARE UPDATE EXCLUSIVE']],
    [
      'CREATE TRIGGER a AFTER UPDATE OF b ON entries REFERENCING NEW TABLE AS c FOR EACH STATEMENT EXECUTE FUNCTION d()',
      ['entries: SHARE ROW EXCLUSIVE'],
    ],
    ['DROP TRIGGER a ON entries', ['entries: ACCESS EXCLUSIVE']],
    ['CREATE POLICY a ON entries FOR ALL USING (true)', ['entries: ACCESS EXCLUSIVE']],
    ['UPDATE entries SET a = 1', ['entries: ROW EXCLUSIVE']],
    ["SELECT 'ALTER TABLE entries'", []],
  ])('knows the locks of %s', (sql, locks) => {
    expect(locksOf(sql).map(({ table, mode }) => `${table}: ${mode}`)).toEqual(locks);
  });
});

describe('Migrations on a server before PostgreSQL 16', () => {
  verifies('operation/migrations-beside');

  it('store columns as in the present one, by statements that it knows', async () => {
    const statements = migrations.flatMap(({ up }) => statementsOf(withStorageAfterwards(up)));
    expect(statements.filter((one) => /^CREATE TABLE[^]* STORAGE /.test(one))).toEqual([]);
    const stored = await app().rows<{ statement: string }>(
      null,
      `SELECT format('ALTER TABLE %s ALTER COLUMN %s SET STORAGE %s', attrelid::regclass, attname, CASE attstorage
         WHEN 'm' THEN 'MAIN' WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' END) AS statement
       FROM pg_attribute a JOIN pg_type t ON t.oid = atttypid JOIN pg_class c ON c.oid = attrelid
       WHERE attstorage <> typstorage AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    expect(statements).toEqual(expect.arrayContaining(stored.map(({ statement }) => statement)));
    expect(stored).toHaveLength(statements.filter((one) => one.includes(' SET STORAGE ')).length);
  });
});
