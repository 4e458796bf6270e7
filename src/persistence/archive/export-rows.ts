import pg from 'pg';
import { createInterface } from 'node:readline';
import { to as copyTo } from 'pg-copy-streams';
import { BACKUP_SETTING, tablesWithoutBackupPolicy } from '../migrations/access/database-access.js';

/** A table with the columns that are stored, not computed. */
export interface ArchivedTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Every lasting table of the service; the job queue's hold no data, and migrations are named in the archive. */
export async function archivedTables(client: pg.Client): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
       AND c.relname NOT IN ('schema_migrations', 'schema_lease') AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/** For COPY. */
export function columnList(client: pg.Client, { table, columns }: ArchivedTable): string {
  const name = client.escapeIdentifier(table);
  return `public.${name} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`;
}

export interface SequenceState {
  readonly last: string;
  readonly isCalled: boolean;
}

/** One committed state of the database. */
export interface Snapshot {
  /** Applied, oldest first. */
  readonly migrations: readonly string[];
  readonly tables: readonly ArchivedTable[];
  /**
   * A table's rows in the text format of COPY; read them to the end before anything else. The database sends their
   * number after them: it is known once a later statement has been answered.
   */
  copyRows(table: ArchivedTable): { readonly chunks: AsyncIterable<Buffer>; readonly rowCount: () => number };
  /** Key of every stored file that a row names, once and in order; read them to the end. */
  fileKeys(): AsyncIterable<string>;
  sequences(): Promise<Record<string, SequenceState>>;
}

/** @throws Error when row-level security would hide rows */
async function assertSeesAllRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ bypasses: boolean; user: string }>(
    'SELECT rolsuper OR rolbypassrls AS bypasses, rolname AS user FROM pg_roles WHERE rolname = current_user',
  );
  if (rows[0]?.bypasses === true) return;
  const { rows: foreign } = await client.query(
    `SELECT FROM pg_tables WHERE schemaname = 'public' AND tableowner <> current_user LIMIT 1`,
  );
  if (foreign.length > 0) throw new Error('DATABASE_URL must name the owner of the tables.');
  const hidden = await tablesWithoutBackupPolicy(client);
  if (hidden.length > 0)
    throw new Error(
      `The owner cannot read every row of ${hidden.map(({ name }) => name).join(', ')}: run npm run migrate first.`,
    );
}

async function sequenceStates(client: pg.Client): Promise<Record<string, SequenceState>> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  );
  const states: Record<string, SequenceState> = {};
  for (const { name } of names) {
    const { rows } = await client.query<SequenceState>(
      `SELECT last_value::text AS last, is_called AS "isCalled" FROM public.${client.escapeIdentifier(name)}`,
    );
    if (rows[0] !== undefined) states[name] = rows[0];
  }
  return states;
}

/** Begins as pg_dump does, with locks before the snapshot: migrations wait, reads and writes do not. */
async function beginLocked(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: string | null }>(
    `SELECT string_agg(oid::regclass::text, ', ' ORDER BY oid) AS tables FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const tables = rows[0]?.tables ?? null;
  if (tables === null) throw new Error('The database is empty: there is nothing to back up.');
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL search_path = public; SET LOCAL ${BACKUP_SETTING} = 'on';`);
  await client.query(`LOCK TABLE ${tables} IN ACCESS SHARE MODE`);
}

const namedFiles =
  'SELECT storage_key FROM media_assets UNION SELECT storage_key FROM media_asset_versions ORDER BY 1';

/** Keys have no character that COPY escapes. */
const linesOf = (rows: NodeJS.ReadableStream): AsyncIterable<string> =>
  createInterface({ input: rows, crlfDelay: Infinity });

function snapshotOf(client: pg.Client, facts: Pick<Snapshot, 'migrations' | 'tables'>): Snapshot {
  return {
    ...facts,
    copyRows: (table) => {
      const chunks = client.query(copyTo(`COPY ${columnList(client, table)} TO STDOUT`));
      return { chunks, rowCount: () => chunks.rowCount };
    },
    fileKeys: () => linesOf(client.query(copyTo(`COPY (${namedFiles}) TO STDOUT`))),
    // Sequences are outside snapshots; read last, they are not behind any row.
    sequences: () => sequenceStates(client),
  };
}

/**
 * Reads every tenant's rows in one snapshot, while the service runs.
 * @param url the owner's connection string
 */
export async function withSnapshot<T>(url: string, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'headwater_backup',
    client_encoding: 'UTF8',
  });
  await client.connect();
  try {
    await beginLocked(client);
    await assertSeesAllRows(client);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
    const tables = await archivedTables(client);
    return await read(snapshotOf(client, { migrations: rows.map(({ name }) => name), tables }));
  } finally {
    await client.end();
  }
}
