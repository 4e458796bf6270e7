import type pg from 'pg';
import { seededId, seededIdSql, type BulkPlace } from '../seed/bulk-entries.js';
import { loadBare } from '../seed/load-bare.js';
import type { Measure } from './measures.js';
import type { Stage } from './stage.js';

export const assetPrefixes = {
  asset: '01900000-0000-7000-8100-',
  folder: '01900000-0000-7000-8200-',
} as const;

/** Assets with the same rare tag, and in the same folder. */
const GROUP = 20;

/** Filled by {@link seedAssets}, the last two by the function that counts lists of assets again. */
const tables = ['media_folders', 'media_assets', 'media_asset_locales', 'media_asset_tags', 'media_search'];

const foldersSql = `
  INSERT INTO media_folders (tenant_id, environment_id, id, name, created_at, updated_at)
  SELECT $1, $2, ${seededIdSql(assetPrefixes.folder, 'n')}, 'folder ' || n, now(), now() FROM generate_series(0, $3::int / ${String(GROUP)} + 1) AS n`;

const assetsSql = `
  INSERT INTO media_assets (tenant_id, project_id, environment_id, id, checksum, source_checksum, storage_key, file_name,
    mime_type, size, width, height, scan_status, folder_id, tags, site_ids, visibility, version, is_used, created_at,
    created_by, updated_at, updated_by)
  SELECT $1::uuid, h.project_id, $2::uuid, ${seededIdSql(assetPrefixes.asset, 'n')}, sha, sha, $1::uuid || '/' || sha, 'file-' || n,
    CASE n % 3 WHEN 0 THEN 'application/pdf' WHEN 1 THEN 'image/jpeg' ELSE 'image/png' END, 1000, 10, 10, 'skipped',
    ${seededIdSql(assetPrefixes.folder, `n / ${String(GROUP)}`)}, ARRAY['group-' || n / ${String(GROUP)}] || CASE WHEN n % 2 = 0 THEN ARRAY['half'] ELSE '{}' END,
    CASE WHEN n % 4 = 0 THEN ARRAY[$4::uuid] ELSE '{}' END, 'public', 1, n % 2 = 0, now() - n * interval '1 second',
    '{"type":"system","id":null,"name":"Bench"}', now() - n * interval '1 second', '{"type":"system","id":null,"name":"Bench"}'
  FROM environment_heads h, generate_series(1, $3::int) AS n, LATERAL (SELECT encode(sha256(n::text::bytea), 'hex') AS sha) AS s
  WHERE h.environment_id = $2`;

const textsSql = `
  INSERT INTO media_asset_locales (tenant_id, environment_id, asset_id, locale, alt_text, title, created_at, updated_at)
  SELECT $1, $2, ${seededIdSql(assetPrefixes.asset, 'n')}, 'en', 'Text ' || n, 'Title ' || n, now(), now()
  FROM generate_series(1, $3::int, 3) AS n`;

/**
 * Two thirds are pictures, every second asset is used, every third picture has a text. Half of them have one tag, and
 * groups of twenty share a tag and a folder.
 */
export async function seedAssets(
  client: pg.Client,
  { tenantId, environmentId, siteId }: BulkPlace,
  count: number,
): Promise<void> {
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
  const given = [tenantId, environmentId, count];
  await loadBare(client, tables, async () => {
    await client.query(foldersSql, given);
    await client.query(assetsSql, [...given, siteId]);
    await client.query(textsSql, given);
    await client.query('SELECT recount_media_lists($1)', [environmentId]);
  });
  await client.query(`VACUUM ANALYZE ${tables.join(', ')}, media_counts, media_set_counts, media_tag_counts`);
}

const group = ({ count }: Stage, round: number): number => (((round * 7919) % count) / GROUP) | 0;
const limit = (round: number): string => `limit=${String(20 + (round % 10))}`;

const list = (name: string, query: (stage: Stage, round: number) => string): Measure => ({
  name,
  run: (stage, round) => stage.call('GET', `{main}/media?${limit(round)}&${query(stage, round)}`),
});

/** Lists of assets with every filter. */
export const assetMeasures: readonly Measure[] = [
  list('assets, first page', () => ''),
  list('assets by name', () => 'orderBy=name:asc'),
  list(
    'assets of a folder',
    (stage, round) => `folderId=${seededId(assetPrefixes.folder, group(stage, round))}`,
  ),
  list('pictures', () => 'mimeType=image/'),
  list('PNG pictures', () => 'mimeType=image/png'),
  list('unused assets', () => 'unused=true'),
  list('unused pictures', () => 'unused=true&mimeType=image/'),
  list('used assets', () => 'unused=false'),
  list('assets of a site', ({ place }) => `siteId=${place.siteId}`),
  list('assets of a rare tag', (stage, round) => `tag=group-${String(group(stage, round))}`),
  list('assets of a tag of half of them', () => 'tag=half'),
  list('pictures without text', () => 'missingAltText=en'),
  list('assets by part of a name', (_stage, round) => `q=file-${String(100 + round)}`),
  {
    name: 'get an asset',
    run: (stage, round) =>
      stage.call('GET', `{main}/media/${seededId(assetPrefixes.asset, 1 + ((round * 7919) % stage.count))}`),
  },
];
