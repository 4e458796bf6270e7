import type pg from 'pg';
import { seededId, seededIdSql, type BulkPlace } from '../seed/bulk-entries.js';
import { prefixes } from './content.js';
import type { Measure } from './measures.js';
import type { Stage } from './stage.js';

/** The source and nine translations. */
export const editorialLocales = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'sv', 'da', 'fi'];

const job = '01900000-0000-7000-8300-';
/** Entries with the same rare assignee and state. */
const GROUP = 20;
/** The calendar has an item this often, whatever the size. */
const SPACING = '3 hours';

const entriesSql = `
  INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at, created_by, updated_at, updated_by)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, t.id, $3, 1, '{}', at, by, at, by
  FROM content_types t, generate_series(1, $4::int) AS n, LATERAL (SELECT now() - n * interval '1 second' AS at,
    '{"type":"system","id":null,"name":"Bench"}'::jsonb AS by) AS m
  WHERE t.environment_id = $2 AND t.api_name = 'topic'`;

/**
 * Two thirds of the translations are written. Nine tenths of the entries are drafts, the others in review; the last
 * {@link GROUP} are approved.
 */
const localesSql = `
  INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title, fields, shared_hash,
    in_tree, is_shown, workflow_state, created_at, updated_at)
  SELECT e.tenant_id, e.environment_id, e.id, locale, e.content_type_id, e.site_id, 'topic-' || n, 'Topic ' || n,
    jsonb_build_object('name', 'Topic ' || n), e.shared_hash, false, locale = 'en',
    CASE WHEN n > $4::int - ${String(GROUP)} THEN 'approved' WHEN n % 10 = 0 THEN 'in_review' END, e.created_at, e.updated_at
  FROM generate_series(1, $4::int) AS n JOIN entries e ON e.environment_id = $2 AND e.id = ${seededIdSql(prefixes.page, 'n')}
    CROSS JOIN unnest($5::text[]) WITH ORDINALITY AS x (locale, place)
  WHERE $1::uuid = e.tenant_id AND $3::uuid = e.site_id AND (place = 1 OR (n + place) % 3 <> 0)`;

/** Every fifth written translation is complete, every hundredth entry has stale ones, groups of twenty an assignee. */
const translationsSql = `
  UPDATE translations t SET stage = CASE WHEN n % 100 = 0 THEN 'stale' WHEN n % 5 = 0 THEN 'complete' ELSE stage END,
    assignee_id = CASE WHEN locale = 'de' THEN ${seededIdSql(job, `n / ${String(GROUP)}`)} END
  FROM generate_series(1, $4::int) AS n
  WHERE t.environment_id = $2 AND t.tenant_id = $1 AND t.site_id = $3 AND t.entry_id = ${seededIdSql(prefixes.page, 'n')}
    AND t.is_written AND (n % 5 = 0 OR locale = 'de')`;

/** Half of the jobs have run. */
const jobsSql = `
  INSERT INTO scheduled_jobs (tenant_id, project_id, environment_id, id, kind, entry_id, site_id, locale, status, scheduled_at, timezone,
    wall_time, options, next_attempt_at, completed_at, created_at, created_by, updated_at)
  SELECT $1, h.project_id, $2, ${seededIdSql(job, 'n')}, 'publish', ${seededIdSql(prefixes.page, 'n')}, $3, 'en',
    CASE WHEN at < now() THEN 'succeeded' ELSE 'scheduled' END, at, 'UTC', at AT TIME ZONE 'UTC', '{}', at,
    CASE WHEN at < now() THEN at END, now(), '{"type":"system","id":null,"name":"Bench"}', now()
  FROM environment_heads h, generate_series(1, $4::int) AS n,
    LATERAL (SELECT now() + (n - $4::int / 2) * interval '${SPACING}' AS at) AS m WHERE h.environment_id = $2`;

const publicationsSql = `
  INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by)
  SELECT $1, $2, ${seededIdSql(prefixes.page, 'n')}, 1, 'en', 'publish', now() - n * interval '${SPACING}',
    '{"type":"system","id":null,"name":"Bench"}' FROM generate_series(1, $4::int) AS n, (SELECT $3::uuid) AS unused`;

/**
 * Entries in ten locales with translations, workflow states, jobs and publications. Triggers are off: what they keep is
 * written by the functions that create translations of a site and count an environment again.
 */
export async function seedEditorial(client: pg.Client, place: BulkPlace, count: number): Promise<void> {
  const { tenantId, environmentId, siteId } = place;
  const triggers = async (verb: 'DISABLE' | 'ENABLE') => {
    for (const table of ['entry_locales', 'translations'])
      await client.query(`ALTER TABLE ${table} ${verb} TRIGGER USER`);
  };
  const given = [tenantId, environmentId, siteId, count];
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  await triggers('DISABLE');
  await client.query(entriesSql, given);
  await client.query(localesSql, [...given, editorialLocales]);
  await client.query('ANALYZE entries, entry_locales');
  await client.query('SELECT sync_site_translations(s, true) FROM sites s WHERE s.id = $1', [siteId]);
  await client.query('ANALYZE translations');
  await client.query(translationsSql, given);
  await triggers('ENABLE');
  await client.query('SELECT recount_environment($1)', [environmentId]);
  for (const sql of [jobsSql, publicationsSql]) await client.query(sql, given);
  await client.query(
    'VACUUM ANALYZE entries, entry_locales, entry_counts, translations, translation_counts, scheduled_jobs, entry_publications',
  );
}

const limit = (round: number): string => `limit=${String(20 + (round % 10))}`;
const read = (name: string, path: (stage: Stage, round: number) => string): Measure => ({
  name,
  run: (stage, round) => stage.call('GET', `{main}/${path(stage, round)}`),
});
const list = (name: string, query: string): Measure =>
  read(name, (_stage, round) => `entries?${limit(round)}&${query}`);
const board = (name: string, query: string): Measure =>
  read(name, (_stage, round) => `translations?${limit(round)}&${query}`);
const group = ({ count }: Stage, round: number): number => (((round * 7919) % count) / GROUP) | 0;
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** What editors look at: states, translations, the calendar. */
export const editorialMeasures: readonly Measure[] = [
  list('entries in the first state', 'workflowState=draft'),
  list('entries in review (a tenth)', 'workflowState=in_review'),
  list('entries in review, last page', 'workflowState=in_review&orderBy=createdAt:asc'),
  list('entries in a rare state', 'workflowState=approved'),
  list('entries in review in a locale', 'workflowState=in_review&locale=de'),
  list('drafts in review of a type', 'workflowState=in_review&status=draft&contentTypeApiName=topic'),
  list('facets by state', 'facets=status,workflowState'),
  board('dashboard', ''),
  board('dashboard of a locale', 'locale=de'),
  board('dashboard, missing', 'status=missing'),
  board('dashboard, missing in a locale', 'status=missing&locale=de'),
  board('dashboard, stale (a hundredth)', 'status=stale'),
  board('dashboard, two statuses', 'status=stale,complete'),
  read(
    'dashboard of an assignee',
    (stage, round) => `translations?${limit(round)}&assigneeId=${seededId(job, group(stage, round))}`,
  ),
  read('translation statistics', (_stage, round) =>
    round % 2 === 0 ? 'translations/stats' : 'translations/stats?contentTypeApiName=topic',
  ),
  read(
    'one translation',
    (stage, round) => `translations/${seededId(prefixes.page, 1 + ((round * 7919) % stage.count))}`,
  ),
  read(
    'calendar, a month',
    (_stage, round) => `calendar?from=${day(round / 24 - 15)}&to=${day(round / 24 + 15)}`,
  ),
  read(
    'calendar, a month of a locale',
    (_stage, round) => `calendar?locale=en&from=${day(round / 24 - 15)}&to=${day(round / 24 + 15)}`,
  ),
];
