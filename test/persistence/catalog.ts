import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Rights that roles other than the owner hold, sorted, without the role that granted them. */
const others = (
  rights: string,
): string => `ARRAY(SELECT split_part(r::text, '/', 1) FROM unnest(${rights}) AS r
      WHERE split_part(r::text, '=', 1) <> current_user ORDER BY 1)`;
const comment = (of: string, id: string): string => `obj_description(${id}, '${of}')`;
const inSchema = "= 'public'::regnamespace";

/**
 * Queries that list the parts of each table and function: the object, the name of the part, and its definition. Left
 * out are the tables of the job queue and of the migrations' lock, and the policies for backups, which are created after the migrations, and NOT NULL
 * constraints, which PostgreSQL names itself.
 */
const definitions: readonly string[] = [
  `SELECT relname, 'itself', concat_ws(' ', relkind, relpersistence, reloptions::text,
      (SELECT reloptions::text FROM pg_class t WHERE t.oid = c.reltoastrelid), relrowsecurity, relforcerowsecurity,
      ${others('relacl')}, ${comment('pg_class', 'oid')}, CASE WHEN relkind = 'v' THEN pg_get_viewdef(oid) END)
    FROM pg_class c WHERE relkind IN ('r', 'v', 'S') AND relnamespace ${inSchema}`,
  `SELECT relname, 'column ' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
      pg_get_expr(adbin, adrelid), attcollation::regcollation, attstorage, ${others('attacl')}, col_description(attrelid, attnum),
      (SELECT count(*) FROM pg_attribute b WHERE b.attrelid = a.attrelid AND b.attnum BETWEEN 1 AND a.attnum AND NOT b.attisdropped))
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relkind IN ('r', 'v') AND relnamespace ${inSchema} AND attnum > 0 AND NOT attisdropped`,
  `SELECT conrelid::regclass::text, 'constraint ' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace ${inSchema} AND contype NOT IN ('n', 't')`,
  `SELECT indrelid::regclass::text, 'index ' || relname, concat_ws(' ', pg_get_indexdef(indexrelid), ${comment('pg_class', 'indexrelid')})
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace ${inSchema}`,
  `SELECT oid::regprocedure::text, 'itself', concat_ws(' ', regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g'), ${others('proacl')},
      ${comment('pg_proc', 'oid')})
    FROM pg_proc WHERE pronamespace ${inSchema}`,
  `SELECT relname, 'trigger ' || tgname, pg_get_triggerdef(t.oid)
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND relnamespace ${inSchema}`,
  `SELECT tablename, 'policy ' || policyname,
      concat_ws(' ', permissive, replace(roles::text, current_user, 'owner'), cmd, qual, with_check)
    FROM pg_policies WHERE schemaname = 'public' AND policyname <> 'backup'`,
  `SELECT sequencename, 'itself', concat_ws(' ', data_type, start_value, increment_by, cache_size, cycle)
    FROM pg_sequences WHERE schemaname = 'public'`,
];

/** A hash of what defines each table, view, sequence and function of a database, by its name. */
export async function catalogOf(client: pg.Client): Promise<Record<string, string>> {
  const parts = new Map<string, string[]>();
  for (const text of definitions) {
    const { rows } = await client.query<[string, string, string]>({ text, rowMode: 'array' });
    for (const [object, name, definition] of rows)
      if (object !== 'schema_lease')
        parts.set(object, [...(parts.get(object) ?? []), `${name}: ${definition}`]);
  }
  const hash = (lines: readonly string[]): string =>
    createHash('sha256').update(lines.toSorted().join('\n')).digest('hex').slice(0, 16);
  const sorted = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([object, lines]) => [object, hash(lines)]));
}
