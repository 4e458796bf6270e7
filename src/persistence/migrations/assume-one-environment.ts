import type pg from 'pg';

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
export async function assumeOneEnvironment(client: pg.Client): Promise<void> {
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
