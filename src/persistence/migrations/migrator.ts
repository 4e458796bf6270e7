import pg from 'pg';
import { bringJobSchemaUpToDate } from './job-schema.js';
import { migrations } from './steps/index.js';
import { formerNames } from './steps/renamed.js';

/** The owner's connection string. */
export interface MigrationOptions {
  readonly url: string;
}

/** Arbitrary but fixed: processes that start together migrate one after another. */
const MIGRATION_LOCK = 7_420_011;

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
    migrations: migrations.map(({ name, up, down }) => ({
      name,
      // A step records itself in its own transaction, so umzug's storage calls are no-ops.
      up: () =>
        inTransaction(client, async () => {
          await client.query(up);
          await log('INSERT INTO schema_migrations (name) VALUES ($1)')({ name });
        }),
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

/** Updates the records of migrations applied under a former name. */
async function renameApplied(client: pg.Client): Promise<void> {
  const names = Object.keys(formerNames);
  await client.query(
    `UPDATE schema_migrations SET name = renamed.name
       FROM unnest($1::text[], $2::text[]) AS renamed (name, former)
      WHERE schema_migrations.name = renamed.former`,
    [names, names.map((name) => formerNames[name])],
  );
}

async function withOwner<T>({ url }: MigrationOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    await renameApplied(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Includes the job queue's migrations; returns the names of ours that were applied. */
export function migrateUp(options: MigrationOptions): Promise<string[]> {
  return withOwner(options, async (client) => {
    const umzug = await createUmzug(client);
    const applied = (await umzug.up()).map(({ name }) => name);
    await bringJobSchemaUpToDate(client);
    return applied;
  });
}

/** Reverts every migration, newest first; all data is lost. */
export function migrateDown(options: MigrationOptions): Promise<string[]> {
  return withOwner(options, async (client) => {
    const umzug = await createUmzug(client);
    return (await umzug.down({ to: 0 })).map(({ name }) => name);
  });
}

export function pendingMigrations(options: MigrationOptions): Promise<string[]> {
  return withOwner(options, async (client) => {
    const applied = new Set(await listApplied(client));
    return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  });
}
