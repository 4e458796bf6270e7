import type pg from 'pg';
import { seededIdSql, type BulkPlace } from '../seed/bulk-entries.js';
import { loadBare } from '../seed/load-bare.js';
import { prefixes } from './content.js';

/** The source and nine translations. */
export const editorialLocales = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'sv', 'da', 'fi'];

/** Prefix of the ids of jobs and assignees. */
export const job = '01900000-0000-7000-8300-';
/** Entries with the same rare assignee and state. */
export const GROUP = 20;
/** The calendar has an item this often, whatever the size. */
const SPACING = '3 hours';

const by = `'{"type":"system","id":null,"name":"Bench"}'::jsonb`;
/** Two thirds of the translations are written, and the source. */
const isWritten = '(place = 1 OR (n + place) % 3 <> 0)';

const entriesSql = `
  INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at, created_by, updated_at, updated_by)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, t.id, $3, 1, '{}', at, ${by}, at, ${by}
  FROM content_types t, generate_series(1, $4::int) AS n, LATERAL (SELECT now() - n * interval '1 second' AS at) AS m
  WHERE t.environment_id = $2 AND t.api_name = 'topic'`;

/** Nine tenths of the entries are drafts, the others in review; the last {@link GROUP} are approved. */
const localesSql = `
  INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, shared_hash,
    in_tree, is_shown, workflow_state, created_at, updated_at)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, locale, t.id, $3, 'topic-' || n, 'Topic ' || n,
    jsonb_build_object('name', 'Topic ' || n), md5('{}'), false, locale = 'en',
    CASE WHEN n > $4::int - ${String(GROUP)} THEN 'approved' WHEN n % 10 = 0 THEN 'in_review' END, at, at
  FROM content_types t, generate_series(1, $4::int) AS n, LATERAL (SELECT now() - n * interval '1 second' AS at) AS m,
    unnest($5::text[]) WITH ORDINALITY AS x (locale, place)
  WHERE t.environment_id = $2 AND t.api_name = 'topic' AND ${isWritten}`;

const sourcesSql = `
  INSERT INTO translation_sources (tenant_id, environment_id, entry_id, names)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, '{name}' FROM generate_series(1, $4::int) AS n, (SELECT $3::uuid) AS unused`;

/**
 * As triggers would keep them of entries that were written once. Every fifth written translation is complete, every
 * twentieth entry has stale ones, groups of twenty an assignee.
 */
const translationsSql = `
  INSERT INTO translations (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, is_deleted, is_written, stage, names,
    provenance, assignee_id, updated_at)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, locale, t.id, $3, false, ${isWritten},
    CASE WHEN NOT ${isWritten} THEN 'in_progress' WHEN n % 20 = 0 THEN 'stale' WHEN n % 5 = 0 THEN 'complete' ELSE 'in_progress' END,
    CASE WHEN ${isWritten} THEN '{name}'::text[] ELSE '{}' END, CASE WHEN ${isWritten} THEN marks ELSE '{}' END,
    CASE WHEN ${isWritten} AND locale = 'de' THEN ${seededIdSql(job, `n / ${String(GROUP)}`)} END, at
  FROM content_types t, generate_series(1, $4::int) AS n, LATERAL (SELECT now() - n * interval '1 second' AS at,
    jsonb_build_object('name', jsonb_build_object('hash', field_hash(to_jsonb('Topic ' || n)), 'version', 1)) AS marks OFFSET 0) AS m,
    unnest($5::text[]) WITH ORDINALITY AS x (locale, place)
  WHERE t.environment_id = $2 AND t.api_name = 'topic' AND place > 1`;

/** Half of the jobs have run. */
const jobsSql = `
  INSERT INTO scheduled_jobs (tenant_id, project_id, environment_id, id, kind, entry_id, site_id, locale, status, scheduled_at, timezone,
    wall_time, options, next_attempt_at, completed_at, created_at, created_by, updated_at)
  SELECT $1, h.project_id, $2, ${seededIdSql(job, 'n')}, 'publish', ${seededIdSql(prefixes.page, 'n')}, $3, 'en',
    CASE WHEN at < now() THEN 'succeeded' ELSE 'scheduled' END, at, 'UTC', at AT TIME ZONE 'UTC', '{}', at,
    CASE WHEN at < now() THEN at END, now(), ${by}, now()
  FROM environment_heads h, generate_series(1, $4::int) AS n,
    LATERAL (SELECT now() + (n - $4::int / 2) * interval '${SPACING}' AS at) AS m WHERE h.environment_id = $2`;

const publicationsSql = `
  INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, 1, 'en', 'publish', now() - n * interval '${SPACING}', ${by}
  FROM generate_series(1, $4::int) AS n, (SELECT $3::uuid) AS unused`;

const tables = [
  'entries',
  'entry_locales',
  'translation_sources',
  'translations',
  'scheduled_jobs',
  'entry_publications',
];

/**
 * Entries in ten locales with translations, workflow states, jobs and publications. Counters are filled by the function
 * that counts an environment again.
 */
export async function seedEditorial(client: pg.Client, place: BulkPlace, count: number): Promise<void> {
  const { tenantId, environmentId, siteId } = place;
  const given = [tenantId, environmentId, siteId, count];
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  await loadBare(client, tables, async () => {
    for (const sql of [entriesSql, sourcesSql, jobsSql, publicationsSql]) await client.query(sql, given);
    for (const sql of [localesSql, translationsSql]) await client.query(sql, [...given, editorialLocales]);
  });
  await client.query(`VACUUM ANALYZE ${tables.join(', ')}`);
  await client.query('SELECT recount_environment($1)', [environmentId]);
  await client.query('VACUUM ANALYZE entry_counts, translation_counts');
}
