import pg from 'pg';
import type { SecretWatch } from './secret-watch.js';

/** One row per table that holds rows: all of its rows as JSON, whoever they belong to. */
const everyRow = `
  SELECT string_agg(format(
    'SELECT %L AS name, count(*)::int AS rows, string_agg(to_jsonb(t)::text, E''\\n'') AS text FROM %I.%I t HAVING count(*) > 0',
    n.nspname || '.' || c.relname, n.nspname, c.relname), ' UNION ALL ') AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema$)'`;

/**
 * Shows the watch every row of a database. No table is left out: what may be kept of a secret is its hash, or its
 * cipher text.
 */
export async function lookAtRows(databaseUrl: string, watch: SecretWatch): Promise<void> {
  const url = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? databaseUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({
    connectionString: url.href,
    lock_timeout: 10_000,
    statement_timeout: 60_000,
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ statement: string | null }>(everyRow);
    const statement = rows[0]?.statement ?? null;
    if (statement === null) return;
    const tables = await client.query<{ name: string; rows: number; text: string }>(statement);
    for (const table of tables.rows) watch.rows(table.name, table.rows, table.text);
  } finally {
    await client.end();
  }
}
