import type pg from 'pg';

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
       AND c.relname <> 'schema_migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/** For COPY. */
export function columnList(client: pg.Client, { table, columns }: ArchivedTable): string {
  const name = client.escapeIdentifier(table);
  return `public.${name} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`;
}
