import pg from 'pg';
import type { SecretWatch } from './secret-watch.js';

/** Rows in memory at once; some tests create a hundred thousand. */
const BATCH = 5000;

/** Builds one statement that reads every row of every table as JSON. */
const everyRow = `
  SELECT string_agg(format('SELECT %L AS name, to_jsonb(t)::text AS row FROM %I.%I t',
    n.nspname || '.' || c.relname, n.nspname, c.relname), ' UNION ALL ') AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema$)'`;

interface StoredRow {
  readonly name: string;
  readonly row: string;
}

async function connected(databaseUrl: string): Promise<pg.Client> {
  // The superuser bypasses row security.
  const url = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? databaseUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({ connectionString: url.href, lock_timeout: 10_000 });
  await client.connect();
  return client;
}

/**
 * Passes every row of a database to the watch. No table is exempt: secrets may be stored only hashed or
 * encrypted.
 */
export async function lookAtRows(databaseUrl: string, watch: SecretWatch): Promise<void> {
  const client = await connected(databaseUrl);
  try {
    const { rows } = await client.query<{ statement: string | null }>(everyRow);
    const statement = rows[0]?.statement ?? null;
    if (statement === null) return;
    await client.query(`SET jit = off; BEGIN READ ONLY; DECLARE every_row NO SCROLL CURSOR FOR ${statement}`);
    for (let isMore = true; isMore;) {
      const batch = (await client.query<StoredRow>(`FETCH ${BATCH} FROM every_row`)).rows;
      for (const [table, stored] of Map.groupBy(batch, ({ name }) => name))
        watch.rows(table, stored.length, stored.map(({ row }) => row).join('\n'));
      isMore = batch.length === BATCH;
    }
  } finally {
    await client.end();
  }
}
