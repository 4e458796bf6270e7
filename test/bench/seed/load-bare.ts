import type pg from 'pg';

interface Definition {
  readonly table: string;
  readonly name: string;
  readonly sql: string;
}

const foreignKeys = `
  SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS sql
  FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY ($1::text[]::regclass[])`;

const secondaryIndexes = `
  SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS sql
  FROM pg_index i WHERE i.indrelid = ANY ($1::text[]::regclass[])
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))`;

/** Enough to build an index over millions of rows in one pass. */
const sessionMemory = `SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET synchronous_commit = off`;

/**
 * Fills tables without their triggers, foreign keys and secondary indexes, and puts these back: built and checked
 * at once they take a fraction of the time. What triggers keep is up to `load`. @param client the owner's
 */
export async function loadBare(
  client: pg.Client,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  await client.query(sessionMemory);
  const { rows: keys } = await client.query<Definition>(foreignKeys, [tables]);
  const { rows: indexes } = await client.query<Definition>(secondaryIndexes, [tables]);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await load();
  for (const { sql } of indexes) await client.query(sql);
  for (const { table, name, sql } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${sql}`);
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}
