import type { TestApp } from './app.js';

/** Records, counters and what follows from other tables. */
const IGNORED =
  /^(?:audit_\w+|outbox_events|webhook_(?:events|deliveries)|\w+_counts|environment_heads|idempotent_replies|rendition_claims|schema_migrations|write_probes)$/;

/** Written by use. */
const USED = "ARRAY['last_used_at', 'last_active_at', 'hit_count', 'last_hit_at']";

const tablesSql = `SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid
    AND a.attname = 'environment_id' AND a.attnotnull) AS "isInEnvironment"
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`;

/** Digests by table. */
export type State = Readonly<Record<string, string | null>>;

/** Reads a digest of each table's rows, those of one environment aside. */
export async function watchOutside(app: TestApp, environmentId: string): Promise<() => Promise<State>> {
  const tables = await app.rows<{ name: string; isInEnvironment: boolean }>(null, tablesSql);
  const digests = tables
    .filter(({ name }) => !IGNORED.test(name))
    .map(({ name, isInEnvironment }) => {
      const row = `(to_jsonb(t) - ${USED})::text`;
      const rows = isInEnvironment ? ' WHERE environment_id <> $1' : '';
      return `(SELECT md5(string_agg(${row}, ',' ORDER BY ${row})) FROM ${name} t${rows}) AS ${name}`;
    });
  const sql = `SELECT $1::uuid AS environment, ${digests.join(', ')}`;
  return async () => (await app.rows<Record<string, string | null>>(null, sql, [environmentId]))[0] ?? {};
}
