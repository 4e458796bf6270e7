import { Repository } from '../../../../persistence/repositories/repository.js';

/** What lists of assets read, where it differs from the assets. */
interface ListDifference {
  /** The asset or the counter. */
  readonly of: string;
  readonly problem: string;
}

const ALL_FOLDERS = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const NO_FOLDER = '00000000-0000-0000-0000-000000000000';

/** @param truth SQL of the keys and a count `n` */
const counter = (name: string, table: string, { keys, truth }: { keys: string; truth: string }): string => `
  WITH truth AS (${truth}),
    kept AS (SELECT ${keys}, sum(assets) AS n FROM ${table} WHERE environment_id = $1 GROUP BY ${keys})
  SELECT '${name} ' || concat_ws(' ', ${keys}) AS "of", coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
  FROM truth FULL JOIN kept USING (${keys}) WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`;

const checks = {
  counts: counter('count of assets', 'media_counts', {
    keys: 'folder_id, mime_type, is_used',
    truth: `SELECT folder.folder_id, a.mime_type, a.is_used, count(*) AS n FROM media_assets a,
        LATERAL (VALUES (coalesce(a.folder_id, '${NO_FOLDER}')), ('${ALL_FOLDERS}'::uuid)) AS folder (folder_id)
      WHERE a.environment_id = $1 GROUP BY 1, 2, 3`,
  }),
  sets: counter('count of assets by sites and alternative text', 'media_set_counts', {
    keys: 'mime_family, site_set, alt_set',
    truth: `SELECT mime_family, site_set, alt_set, count(*) AS n FROM media_assets WHERE environment_id = $1 GROUP BY 1, 2, 3`,
  }),
  tags: counter('count of assets by tag', 'media_tag_counts', {
    keys: 'tag',
    truth: `SELECT tag, count(*) AS n FROM (SELECT DISTINCT id, unnest(tags) COLLATE "C" AS tag FROM media_assets
      WHERE environment_id = $1) AS tagged GROUP BY 1`,
  }),
  setMembers: `SELECT 'sets ' || site_set || ' ' || alt_set AS "of", 'do not stand for their members' AS problem
    FROM media_set_counts WHERE environment_id = $1 AND (site_set, alt_set) <> (set_key(site_ids::text[]), set_key(alt_locales))
    LIMIT $2`,
  tagRows: `WITH truth AS (SELECT DISTINCT id AS asset_id, unnest(tags) COLLATE "C" AS tag, updated_at FROM media_assets
        WHERE environment_id = $1),
      kept AS (SELECT asset_id, tag, updated_at FROM media_asset_tags WHERE environment_id = $1)
    SELECT 'tag ' || tag || ' of ' || asset_id AS "of", CASE WHEN kept.updated_at IS NULL THEN 'missing'
        WHEN truth.updated_at IS NULL THEN 'left over' ELSE 'has another time' END AS problem
    FROM truth FULL JOIN kept USING (asset_id, tag) WHERE truth.updated_at IS DISTINCT FROM kept.updated_at LIMIT $2`,
  altLocales: `SELECT 'asset ' || a.id AS "of", 'the locales of its texts differ' AS problem FROM media_assets a
    WHERE a.environment_id = $1 AND a.alt_locales <> ARRAY(SELECT l.locale FROM media_asset_locales l
      WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.alt_text IS NOT NULL ORDER BY l.locale) LIMIT $2`,
  search: `SELECT 'asset ' || a.id AS "of", 'its index of name and titles differs' AS problem FROM media_assets a
      LEFT JOIN media_search s ON s.environment_id = a.environment_id AND s.asset_id = a.id
    WHERE a.environment_id = $1 AND s.grams IS DISTINCT FROM search_grams(a.environment_id,
      a.file_name || ARRAY(SELECT l.title FROM media_asset_locales l WHERE l.environment_id = a.environment_id
        AND l.asset_id = a.id AND l.title IS NOT NULL), '{1,2,3}') LIMIT $2`,
} as const;

/** Compares counters, tags and the index of texts with the assets, and writes them again. */
export class MediaListCheckRepository extends Repository {
  async differences(limit: number): Promise<ListDifference[]> {
    await this.allowTime(600);
    const found: ListDifference[] = [];
    for (const check of Object.values(checks))
      found.push(...(await this.query<ListDifference>(check, [this.environmentId, limit])));
    return found;
  }

  async repair(): Promise<void> {
    await this.allowTime(600);
    await this.query('SELECT recount_media_lists($1)', [this.environmentId]);
  }
}

/** Which objects of the storage the tenant's assets and their former files name. */
export class StoredFileRepository extends Repository {
  /** Those of `keys` that a row names, or one that a rollback can put back. */
  async named(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ key: string }>(
      `SELECT key FROM unnest($1::text[]) AS given (key)
        WHERE EXISTS (SELECT FROM media_assets a WHERE a.storage_key = key)
          OR EXISTS (SELECT FROM media_asset_versions v WHERE v.storage_key = key)
          OR EXISTS (SELECT FROM promoted_rows p WHERE p.table_name IN ('media_assets', 'media_asset_versions')
            AND p.before ->> 'storage_key' = given.key)`,
      [keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** The next keys in order, each once. */
  async keysAfter(after: string, limit: number): Promise<string[]> {
    const rows = await this.query<{ key: string }>(
      `SELECT key FROM (
          (SELECT DISTINCT storage_key AS key FROM media_assets WHERE storage_key > $1 ORDER BY 1 LIMIT $2)
          UNION
          (SELECT DISTINCT storage_key FROM media_asset_versions WHERE storage_key > $1 ORDER BY 1 LIMIT $2)
        ) AS keys ORDER BY key LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ key }) => key);
  }
}
