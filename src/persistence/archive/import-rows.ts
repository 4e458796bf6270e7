import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { archivedTables, columnList, type ArchivedTable, type SequenceState } from './export-rows.js';

/** The tables of an empty, migrated database in one transaction. */
export interface RowLoader {
  /** @returns the number of rows */
  load(table: ArchivedTable, rows: AsyncIterable<Buffer>): Promise<number>;
  setSequence(name: string, state: SequenceState): Promise<void>;
}

const LOCK_NOT_AVAILABLE = '55P03';

async function tableNames(client: pg.Client): Promise<string[]> {
  return (await archivedTables(client)).map(({ table }) => `public.${client.escapeIdentifier(table)}`);
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Rows are loaded as they are: no trigger computes them again, and foreign keys are checked at the end, so that
 * their order does not matter.
 */
async function withoutChecks(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const tables = await tableNames(client);
  const { rows: keys } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY conrelid, conname`,
  );
  const { rows: walled } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relforcerowsecurity`,
  );
  for (const table of tables)
    await client.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER`);
  await assertEmpty(client, tables);
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await work();
  for (const { table, name, definition } of keys)
    await describeFailure(`The rows of ${table} refer to rows that the backup lacks`, () =>
      client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
    );
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  for (const { name } of walled) await client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
}

/** The database's reason, without its code, which would read as a failure of the connection. */
async function describeFailure<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new Error(`${what}: ${error.message}.`, { cause: error });
  }
}

/** @throws Error that names a table with rows */
async function assertEmpty(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount !== 0)
      throw new Error(
        `The database is not empty: ${table} has rows. Restore into a new database, or another HEADWATER_DATA_DIR.`,
      );
  }
}

function loaderOf(client: pg.Client, known: readonly ArchivedTable[]): RowLoader {
  return {
    load: async (table, rows) => {
      const found = known.find(({ table: name }) => name === table.table);
      const isKnown = table.columns.every((column) => found?.columns.includes(column) === true);
      if (!isKnown)
        throw new Error(`The backup has columns of ${table.table} that this release does not know.`);
      const target = client.query(copyFrom(`COPY ${columnList(client, table)} FROM STDIN`));
      await describeFailure(`The rows of ${table.table} cannot be loaded`, () => pipeline(rows, target));
      return target.rowCount;
    },
    setSequence: async (name, { last, isCalled }) => {
      await client.query("SELECT setval(format('public.%I', $1::text)::regclass, $2::bigint, $3)", [
        name,
        last,
        isCalled,
      ]);
    },
  };
}

/**
 * Loads everything or nothing.
 * @param url the owner's connection string
 */
export async function intoEmptyDatabase(
  url: string,
  load: (loader: RowLoader) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'headwater_restore' });
  await client.connect();
  try {
    await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
      SET lock_timeout = '5s'; SET client_encoding = 'UTF8'; SET search_path = public; BEGIN`);
    const known = await archivedTables(client);
    await withoutChecks(client, () => load(loaderOf(client, known)));
    await client.query('COMMIT');
    await client.query('ANALYZE').catch(() => undefined);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE)
      throw new Error('The database is in use: stop the service before a restore.', { cause: error });
    throw error;
  } finally {
    await client.end();
  }
}
