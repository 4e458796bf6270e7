import type pg from 'pg';

/** Id of a seeded row: a prefix of 24 characters and the row number. */
export const seededId = (prefix: string, n: number): string => prefix + n.toString(16).padStart(12, '0');

/** SQL of {@link seededId}. @param n an SQL expression */
export const seededIdSql = (prefix: string, n: string): string =>
  `('${prefix}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** SQL of a link to a seeded entry. */
export const linkSql = (to: Pick<BulkEntries, 'idPrefix' | 'typeApiName'>, n: string): string =>
  `jsonb_build_object('_ref', ${seededIdSql(to.idPrefix, n)}, '_type', '${to.typeApiName}')`;

export interface BulkPlace {
  readonly tenantId: string;
  readonly environmentId: string;
  readonly siteId: string;
}

/** Entries of one type in one locale. SQL expressions may use `n`, which starts at 1. */
export interface BulkEntries {
  readonly typeApiName: string;
  /** 24 characters, e.g. `01900000-0000-7000-a000-`. */
  readonly idPrefix: string;
  readonly count: number;
  /** First number, by default 1. */
  readonly from?: number;
  readonly locale: string;
  /** SQL. */
  readonly slug: string;
  /** SQL. */
  readonly title: string;
  /** SQL of the localized values, and of the shared ones, as delivered JSON. */
  readonly fields: string;
  readonly sharedFields?: string;
  /** SQL boolean, by default true. */
  readonly isPublished?: string;
  /** SQL boolean, by default false: the draft is newer than the published version. */
  readonly isChanged?: string;
  /** SQL of the actor's id, by default null. */
  readonly actorId?: string;
  /** Writes `in_tree` at once; otherwise {@link seedTree} sets it. */
  readonly isInTree?: boolean;
  /** Fields in `fields` or `sharedFields` that contain links. */
  readonly links?: readonly string[];
  /** Unique fields in `sharedFields`. */
  readonly uniqueFields?: readonly string[];
}

const given = (entries: BulkEntries): string => `
  CREATE TEMPORARY TABLE bulk AS
  SELECT t.id AS type_id, n, ${seededIdSql(entries.idPrefix, 'n')} AS id, (${entries.slug})::text AS slug, (${entries.title})::text AS title,
    ${entries.fields} AS fields, ${entries.sharedFields ?? "'{}'::jsonb"} AS shared_fields,
    ${entries.isPublished ?? 'true'} AS is_published, ${entries.isChanged ?? 'false'} AS is_changed,
    '2026-01-01'::timestamptz + n * interval '1 second' AS at,
    jsonb_build_object('type', 'system', 'id', ${entries.actorId ?? 'null::text'}, 'name', 'Seed') AS by
  FROM content_types t, generate_series(${String(entries.from ?? 1)}, ${String((entries.from ?? 1) + entries.count - 1)}) AS n
  WHERE t.environment_id = $1 AND t.api_name = '${entries.typeApiName}'`;

/** JSON without spaces, which links have no others of. */
const compactSql = (value: string): string =>
  `CASE jsonb_typeof(${value}) WHEN 'string' THEN ${value}::text ELSE replace(replace(${value}::text, ': ', ':'), ', ', ',') END`;

/** The text of a document with strings, numbers and links, as publishing writes it. */
const bodySql = (fields: string): string =>
  `(SELECT encode(sha256(convert_to(t.lines, 'UTF8')), 'base64') || chr(10) || t.lines FROM (
     SELECT string_agg(format('"%s":%s', v.key, ${compactSql('v.value')}), chr(10) ORDER BY f.position) AS lines
     FROM jsonb_each(${fields}) AS v JOIN fields f ON f.environment_id = $1 AND f.content_type_id = type_id AND f.api_name = v.key) AS t)`;

/** Write model, read model and derived rows, one statement per table. */
const statements = ({ locale, isInTree = false, links = [], uniqueFields = [] }: BulkEntries): string[] => [
  `INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at, created_by,
     updated_at, updated_by)
   SELECT $2, $1, id, type_id, $3, CASE WHEN is_changed THEN 2 ELSE 1 END, shared_fields, at, by, at, by FROM bulk`,
  `INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, shared_hash,
     in_tree, is_shown, published_content_hash, published_shared_hash, published_version, published_at, first_published_at,
     created_at, updated_at)
   SELECT $2, $1, id, '${locale}', type_id, $3, slug, title, fields, md5(shared_fields::text), ${String(isInTree)}, true,
     CASE WHEN is_changed THEN md5('') WHEN is_published THEN md5(slug || chr(10) || fields::text) END,
     CASE WHEN is_published THEN md5(shared_fields::text) END, CASE WHEN is_published THEN 1 END,
     CASE WHEN is_published THEN at END, CASE WHEN is_published THEN at END, at, at FROM bulk`,
  `INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields, shared_fields,
     changed_fields, created_at, created_by)
   SELECT $2, $1, id, v, '${locale}', CASE v WHEN 1 THEN 'create' ELSE 'update' END, slug, fields, shared_fields, '{}', at, by
   FROM bulk CROSS JOIN generate_series(1, CASE WHEN is_changed THEN 2 ELSE 1 END) AS v, (SELECT $3::uuid) AS unused`,
  `INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by)
   SELECT $2, $1, id, 1, '${locale}', 'publish', at, by FROM bulk, (SELECT $3::uuid) AS unused WHERE is_published`,
  `INSERT INTO published_entries (environment_id, entry_id, locale, content_type_id, site_id, slug, fields, body, version, created_at,
     published_at, first_published_at)
   SELECT $1, id, '${locale}', type_id, $3, slug, shared_fields || fields, ${bodySql('(shared_fields || fields)')}, 1, at, at, at
   FROM bulk, (SELECT $2::uuid) AS unused WHERE is_published`,
  ...links.map(
    (field) => `INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id)
   SELECT $2, $1, b.id, CASE WHEN f.localized THEN '${locale}' ELSE '' END, f.id, (link #>> '{}')::uuid
   FROM bulk b JOIN fields f ON f.environment_id = $1 AND f.content_type_id = b.type_id AND f.api_name = '${field}'
     CROSS JOIN LATERAL jsonb_path_query((b.shared_fields || b.fields) -> '${field}', '$._ref') AS link, (SELECT $3::uuid) AS unused`,
  ),
  ...uniqueFields.map(
    (
      field,
    ) => `INSERT INTO unique_values (tenant_id, environment_id, field_id, locale, value_hash, entry_id, published_locale)
   SELECT $2, $1, f.id, '', md5((b.shared_fields -> '${field}')::text), b.id, '${locale}'
   FROM bulk b JOIN fields f ON f.environment_id = $1 AND f.content_type_id = b.type_id AND f.api_name = '${field}', (SELECT $3::uuid) AS unused
   WHERE b.is_published`,
  ),
];

/**
 * Seeds the rows that operations would write with a dozen statements; a hundred thousand single calls take half
 * an hour. `rebuild --check` finds no difference. @param client the owner's, with write access to the tenant;
 * run ANALYZE afterwards
 */
export async function seedEntries(client: pg.Client, place: BulkPlace, entries: BulkEntries): Promise<void> {
  const { tenantId, environmentId, siteId } = place;
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  await client.query('DROP TABLE IF EXISTS bulk');
  await client.query(given(entries).replace('$1', `'${environmentId}'`));
  for (const sql of statements(entries)) await client.query(sql, [environmentId, tenantId, siteId]);
  await client.query('DROP TABLE bulk');
}
