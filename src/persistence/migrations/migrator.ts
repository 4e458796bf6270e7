import type pg from 'pg';
import { silentWait, withinStart, withNotice } from '../../infrastructure/readiness.js';
import type { ReadPool } from '../connections/read-pool.js';
import { assertAccess, ensureRoles, repairAccess } from './access/database-access.js';
import {
  databaseAt,
  withLease,
  withOwner,
  type MigrationLease,
  type MigrationOptions,
} from './owner-connection.js';
import { describePlan, stopsWrites, strongestLocks, withStorageAfterwards } from './plan.js';
import { migrations } from './steps/index.js';
import type { Migration } from './steps/migration.js';

/**
 * Before 0.1.0, 93 steps made the tables one after the other that the baseline makes at once. A database with all of
 * them has the schema of the baseline, so that only the records of its steps change.
 */
const formerSteps = { first: '0001-roles', last: '0093-second-factors', revision: '298c498c' } as const;

const LAST_OF_BASELINE = '0021-purges';

const endOfBaseline = migrations.findIndex(({ name }) => name === LAST_OF_BASELINE) + 1;

const baseline: readonly string[] = migrations.slice(0, endOfBaseline).map(({ name }) => name);

/**
 * The names of the migrations that a database or a backup has, as this release names them.
 * @throws Error, with what to do, when some of the steps before the baseline were not applied
 */
export function currentNames(applied: readonly string[]): readonly string[] {
  if (!applied.includes(formerSteps.first)) return applied;
  if (applied.includes(formerSteps.last)) return baseline;
  throw new Error(
    `The data was written before 0.1.0, and its migrations end with ${String(applied.at(-1))}: ` +
      `run npm run migrate of revision ${formerSteps.revision} of the repository on it, then that of this release.`,
  );
}

/** Records the baseline in place of the steps before it. */
async function adoptFormer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  const applied = rows.map(({ name }) => name);
  const names = currentNames(applied);
  if (names === applied) return;
  await client.query(
    `WITH former AS (DELETE FROM schema_migrations WHERE name <> ALL ($1))
     INSERT INTO schema_migrations (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`,
    [names],
  );
}

/** pg-boss's schema; a migration creates it and grants it to the service role. */
export const JOB_SCHEMA = 'pgboss';

/** pg-boss versions its own tables, so its upgrades need no migration of ours. */
async function bringJobSchemaUpToDate(client: pg.Client): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  // Migrates over the owner's connection; runs no jobs.
  const boss = new PgBoss({
    db: { executeSql: (sql, values) => client.query(sql, values) },
    schema: JOB_SCHEMA,
    createSchema: false,
    supervise: false,
    schedule: false,
    migrate: true,
  });
  await boss.start();
  await boss.stop({ graceful: false, close: false });
}

/** First with functions that set statistics. */
const SETS_STATISTICS = 180000;

/** Rows of one environment may all have the same value in these. */
const sharedColumns = [
  'tenant_id',
  'project_id',
  'environment_id',
  'site_id',
  'content_type_id',
  'locale',
  'status',
];

/**
 * Until a table is analyzed, PostgreSQL assumes 200 different values per column, and that few rows lack one. It would then prefer indexes that begin
 * with an environment or a locale to the keys of rows, and statements on several rows would read all of an environment.
 */
async function assumeOneEnvironment(client: pg.Client): Promise<void> {
  await client.query(`DO $do$
    BEGIN
      IF current_setting('server_version_num')::int >= ${String(SETS_STATISTICS)} THEN
        PERFORM pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', a.attname::text,
            'inherited', c.relkind = 'p', 'avg_width', 16, 'n_distinct', 1::real,
            'null_frac', CASE a.attname WHEN 'deleted_at' THEN 1 ELSE 0 END::real)
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.reltuples < 0
            AND a.attname = ANY('{deleted_at, ${sharedColumns.join(', ')}}');
      END IF;
    END $do$`);
}

async function listApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  return rows.map((row) => row.name);
}

/**
 * Locks what a step needs before it changes anything, in the order in which tables were created, which writers follow:
 * with a part of its locks it would hold up requests while it waits for the others.
 */
async function lockTables(client: pg.Client, sql: string): Promise<void> {
  const locks = strongestLocks(sql);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relname = ANY ($1) ORDER BY oid`,
    [[...locks.keys()]],
  );
  const statements = rows.flatMap(({ name }) => {
    const mode = locks.get(name);
    return mode !== undefined && stopsWrites(mode) ? `LOCK TABLE ${name} IN ${mode} MODE` : [];
  });
  if (statements.length > 0) await client.query(statements.join('; '));
}

/** First whose `CREATE TABLE` takes the storage of a column. */
const TAKES_STORAGE = 160000;

async function inDialect(client: pg.Client, sql: string): Promise<string> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return (rows[0]?.version ?? 0) < TAKES_STORAGE ? withStorageAfterwards(sql) : sql;
}

/** Applies or reverts a step in one transaction, beside processes that serve requests. */
export function applyStep(
  lease: MigrationLease,
  sql: string,
  record?: () => Promise<unknown>,
): Promise<void> {
  return lease.transact(async () => {
    await lockTables(lease.client, sql);
    await lease.client.query(await inDialect(lease.client, sql));
    await record?.();
  });
}

/** Loaded only to apply or revert. */
async function createUmzug(lease: MigrationLease) {
  const { Umzug } = await import('umzug');
  const { client } = lease;
  // A step records itself in its own transaction, so umzug's storage calls are no-ops.
  return new Umzug({
    migrations: migrations.map(({ name, up, down }: Migration) => ({
      name,
      up: () =>
        applyStep(lease, up, () => client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name])),
      down: () =>
        applyStep(lease, down, () => client.query('DELETE FROM schema_migrations WHERE name = $1', [name])),
    })),
    storage: {
      logMigration: () => Promise.resolve(),
      unlogMigration: () => Promise.resolve(),
      executed: () => listApplied(client),
    },
    logger: undefined,
  });
}

async function withRecords<T>(
  options: MigrationOptions,
  work: (lease: MigrationLease) => Promise<T>,
): Promise<T> {
  const { url, wait = silentWait } = options;
  return withLease(options, async (lease) => {
    const { client } = lease;
    const prepare = async (): Promise<void> => {
      await client.query(
        'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
      );
      await adoptFormer(client);
    };
    await withinStart(wait, () => databaseAt(url), prepare());
    return work(lease);
  });
}

/**
 * Includes the job queue's migrations, and what a restore has lost; returns the names of ours that were applied.
 * @throws MissingAccessError when roles are missing that the owner cannot create
 */
export function migrateUp(options: MigrationOptions): Promise<string[]> {
  return withRecords(options, async (lease) => {
    const { client } = lease;
    const apply = async (): Promise<string[]> => {
      const before = await listApplied(client);
      const isNew = before.length === 0;
      const roles = await ensureRoles(client);
      const isPending = migrations.some(({ name }) => !before.includes(name));
      const steps = isPending ? await (await createUmzug(lease)).up() : [];
      const applied = steps.map(({ name }) => name);
      await lease.renew();
      await bringJobSchemaUpToDate(client);
      await assumeOneEnvironment(client);
      const repaired = [...roles, ...(await lease.transact(() => repairAccess(client)))];
      if (!isNew && repaired.length > 0) options.onRepair?.(repaired);
      return applied;
    };
    return withNotice(options.wait ?? silentWait, () => 'pending migrations to be applied', apply());
  });
}

/** Applies the migrations up to one, without the job queue's: for data of an older release. */
export function migrateTo(name: string, options: MigrationOptions): Promise<void> {
  return withRecords(options, async (lease) => {
    await ensureRoles(lease.client);
    const umzug = await createUmzug(lease);
    await umzug.up({ to: name });
  });
}

/** Reverts every migration, newest first; all data is lost. */
export function migrateDown(options: MigrationOptions): Promise<string[]> {
  return withRecords(options, async (lease) => {
    const umzug = await createUmzug(lease);
    return (await umzug.down({ to: 0 })).map(({ name }) => name);
  });
}

/** @throws MissingAccessError when a role, grant or policy is missing from a migrated database */
export function checkAccess(options: MigrationOptions & { readonly setsRole: boolean }): Promise<void> {
  return withLease(options, ({ client }) => {
    const { url, wait = silentWait } = options;
    return withinStart(wait, () => databaseAt(url), assertAccess(client, options.setsRole));
  });
}

export function pendingMigrations(options: MigrationOptions): Promise<string[]> {
  return withRecords(options, async ({ client }) => {
    const { url, wait = silentWait } = options;
    const applied = new Set(await withinStart(wait, () => databaseAt(url), listApplied(client)));
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  });
}

/** Without changing anything. */
export async function pendingNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('public.schema_migrations') IS NOT NULL AS exists",
  );
  const applied = new Set(rows[0]?.exists === true ? currentNames(await listApplied(client)) : []);
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

/** The statements of pending migrations and the locks that they take, without changing anything; undefined: none. */
export function planMigrations(options: MigrationOptions): Promise<string | undefined> {
  return withOwner(options, async (client) => {
    const { rows } = await client.query<{ name: string; count: number }>(
      `SELECT relname AS name, reltuples AS count FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
    );
    const tables = new Map(rows.map(({ name, count }) => [name, count]));
    const names = await pendingNames(client);
    const pending = migrations.filter(({ name }) => names.includes(name));
    return pending.length === 0 ? undefined : describePlan(pending, tables);
  });
}

const applied = { name: 'applied_migrations', text: 'SELECT name FROM schema_migrations' };

/** True also for a database of a newer release. */
export async function isMigrated(pool: ReadPool): Promise<boolean> {
  const rows = await pool.run<{ name: string }>(applied, []);
  const names = new Set(rows.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}
