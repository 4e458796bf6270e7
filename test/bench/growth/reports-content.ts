import type pg from 'pg';
import { seededIdSql, type BulkPlace } from '../seed/bulk-entries.js';
import { loadBare } from '../seed/load-bare.js';
import { prefixes, seedPages } from './content.js';

const record = '01900000-0000-7000-8400-';
/** Entries that records are about. */
const PAGES = 1000;
const USERS = 30;
const KEYS = 10;
/** As long as records are kept, nearly. */
export const AUDIT_DAYS = 390;

/** Of 20 records, so many of each action. */
const actions = [
  ...Array.from({ length: 12 }, () => 'entry.update'),
  ...Array.from({ length: 4 }, () => 'entry.publish'),
  ...['entry.create', 'entry.unpublish', 'entry.schedule', 'entry.delete'],
]
  .map((action) => `'${action}'`)
  .join(', ');

const actor = seededIdSql(prefixes.author, `n % ${String(USERS + KEYS)} + 1`);

/** $1 tenant, $2 environment, $3 number of records, $4 number of the first less one, $5 days. */
const recordsSql = `
  INSERT INTO audit_events (id, tenant_id, project_id, environment_id, locale, at, number, action, actor, target, changed_fields,
    context, metadata)
  SELECT ${seededIdSql(record, 'n')}, $1, h.project_id, $2, 'en', now() - interval '1 day' * $5 * (($3 - n)::float8 / $3), $4 + n,
    (ARRAY[${actions}])[1 + n / 7 % 20],
    jsonb_build_object('type', CASE WHEN n % ${String(USERS + KEYS)} < ${String(USERS)} THEN 'user' ELSE 'api_key' END, 'id', ${actor}, 'name', 'Bench'),
    jsonb_build_object('type', 'entry', 'id', ${seededIdSql(prefixes.page, `1 + n % ${String(PAGES)}`)}, 'name', 'Page'), '{title}',
    jsonb_build_object('interface', CASE WHEN n % ${String(USERS + KEYS)} < ${String(USERS)} THEN 'management' ELSE 'mcp' END), '{}'
  FROM environment_heads h, generate_series(1, $3::bigint) AS n WHERE h.environment_id = $2`;

/** Seals the records without their hashes, and counts them as the worker does. */
const sealSql = `
  INSERT INTO audit_blocks (chain_id, number, tenant_id, after_number, to_number, records, previous_hash, hash)
  SELECT h.project_id, 1, $1, 0, setval('audit_number', (SELECT max(number) FROM audit_events)), 0, '', ''
  FROM environment_heads h WHERE h.environment_id = $2`;
const markSql = `
  INSERT INTO report_marks VALUES ('activity', audit_sealed_to()) ON CONFLICT (name) DO UPDATE SET number = excluded.number`;
const countSql = `SELECT recount_activity(project_id, environment_id) FROM environment_heads WHERE environment_id = $1`;

/** Audit records of users and keys, who change a thousand pages; the counts of reports are complete. */
export async function seedAudit(
  client: pg.Client,
  place: BulkPlace,
  { count, days }: { readonly count: number; readonly days: number },
): Promise<void> {
  await seedPages(client, place, PAGES);
  const { tenantId, environmentId } = place;
  await client.query(
    "SELECT set_config('headwater.tenant_id', $1, false), set_config('headwater.platform', 'on', false)",
    [tenantId],
  );
  const { rows } = await client.query<{ last: string }>(
    'SELECT coalesce(max(number), 0)::text AS last FROM audit_events',
  );
  await loadBare(client, ['audit_events'], () =>
    client
      .query(recordsSql, [tenantId, environmentId, count, rows[0]?.last ?? '0', days])
      .then(() => undefined),
  );
  await client.query(sealSql, [tenantId, environmentId]);
  await client.query(markSql);
  await client.query('VACUUM ANALYZE audit_events, entries');
  await client.query(countSql, [environmentId]);
  await client.query('VACUUM ANALYZE activity_counts');
}

const changeSql = `
  UPDATE entry_locales SET fields = fields || '{"body": "Changed."}'
  WHERE environment_id = $1 AND get_byte(uuid_send(entry_id), 15) % 10 < 3 AND status = 'published'`;
const noteSql = `
  INSERT INTO health_notes (tenant_id, environment_id, kind, subject_id) VALUES ($1, $2, 'environment', $2)`;

/** Pages, three tenths of the live ones with newer drafts, whose issues are still to be found. */
export async function seedChanged(client: pg.Client, place: BulkPlace, count: number): Promise<void> {
  await seedPages(client, place, count);
  const { tenantId, environmentId } = place;
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  await client.query('ALTER TABLE entry_locales DISABLE TRIGGER USER');
  await client.query(changeSql, [environmentId]);
  await client.query('ALTER TABLE entry_locales ENABLE TRIGGER USER');
  await client.query(noteSql, [tenantId, environmentId]);
  await client.query('VACUUM ANALYZE entry_locales');
}
