import type pg from 'pg';
import { silentWait, withinStart, withNotice } from '../../infrastructure/readiness.js';
import type { ReadPool } from '../connections/read-pool.js';
import { assertAccess, ensureRoles, repairAccess } from './access/database-access.js';
import { bringJobSchemaUpToDate } from './job-schema.js';
import { databaseAt, withOwner, type MigrationOptions } from './owner-connection.js';
import { migrations } from './steps/index.js';
import type { Migration } from './steps/migration.js';
import { adoptFormer } from './former-steps.js';

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

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function listApplied(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  return rows.map((row) => row.name);
}

/** Loaded only to apply or revert. */
async function createUmzug(client: pg.Client) {
  const { Umzug } = await import('umzug');
  const log =
    (sql: string) =>
    async ({ name }: { name: string }) =>
      void (await client.query(sql, [name]));
  return new Umzug({
    migrations: migrations.map(({ name, up, down }: Migration) => ({
      name,
      // A step records itself in its own transaction, so umzug's storage calls are no-ops.
      up: async () => {
        await inTransaction(client, async () => {
          await client.query(up);
          await log('INSERT INTO schema_migrations (name) VALUES ($1)')({ name });
        });
      },
      down: () =>
        inTransaction(client, async () => {
          await client.query(down);
          await log('DELETE FROM schema_migrations WHERE name = $1')({ name });
        }),
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
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { url, wait = silentWait } = options;
  return withOwner(options, async (client) => {
    const prepare = async (): Promise<void> => {
      await client.query(
        'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
      );
      await adoptFormer(client);
    };
    await withinStart(wait, () => databaseAt(url), prepare());
    return work(client);
  });
}

/**
 * Includes the job queue's migrations, and what a restore has lost; returns the names of ours that were applied.
 * @throws MissingAccessError when roles are missing that the owner cannot create
 */
export function migrateUp(options: MigrationOptions): Promise<string[]> {
  return withRecords(options, async (client) => {
    const umzug = await createUmzug(client);
    const apply = async (): Promise<string[]> => {
      const isNew = (await listApplied(client)).length === 0;
      const roles = await ensureRoles(client);
      const applied = (await umzug.up()).map(({ name }) => name);
      await bringJobSchemaUpToDate(client);
      await assumeOneEnvironment(client);
      const repaired = [...roles, ...(await repairAccess(client))];
      if (!isNew && repaired.length > 0) options.onRepair?.(repaired);
      return applied;
    };
    return withNotice(options.wait ?? silentWait, () => 'pending migrations to be applied', apply());
  });
}

/** Applies the migrations up to one, without the job queue's: for data of an older release. */
export function migrateTo(name: string, options: MigrationOptions): Promise<void> {
  return withRecords(options, async (client) => {
    await ensureRoles(client);
    const umzug = await createUmzug(client);
    await umzug.up({ to: name });
  });
}

/** Reverts every migration, newest first; all data is lost. */
export function migrateDown(options: MigrationOptions): Promise<string[]> {
  return withRecords(options, async (client) => {
    const umzug = await createUmzug(client);
    return (await umzug.down({ to: 0 })).map(({ name }) => name);
  });
}

/** @throws MissingAccessError when a role, grant or policy is missing from a migrated database */
export function checkAccess(options: MigrationOptions & { readonly setsRole: boolean }): Promise<void> {
  return withOwner(options, (client) => {
    const { url, wait = silentWait } = options;
    return withinStart(wait, () => databaseAt(url), assertAccess(client, options.setsRole));
  });
}

export function pendingMigrations(options: MigrationOptions): Promise<string[]> {
  return withRecords(options, async (client) => {
    const { url, wait = silentWait } = options;
    const applied = new Set(await withinStart(wait, () => databaseAt(url), listApplied(client)));
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  });
}

const applied = { name: 'applied_migrations', text: 'SELECT name FROM schema_migrations' };

/** True also for a database of a newer release. */
export async function isMigrated(pool: ReadPool): Promise<boolean> {
  const rows = await pool.run<{ name: string }>(applied, []);
  const names = new Set(rows.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}
