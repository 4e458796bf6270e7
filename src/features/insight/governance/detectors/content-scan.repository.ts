import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Scan } from './detector.js';
import { groupedEntries, type FoundEntry } from './entry-groups.js';

export interface ScannedAsset {
  readonly id: string;
  readonly fileName: string;
  readonly storageKey: string;
  readonly checksum: string;
}

interface AssetQuery {
  /** Read whatever their place. */
  readonly known: readonly string[];
  /** The last one of the scan before. */
  readonly after: string;
  readonly limit: number;
}

const columns = 'a.id, a.file_name AS "fileName", a.storage_key AS "storageKey", a.checksum';

/** Assets of the environment. */
export class AssetScanRepository extends Repository {
  /** The known ones, then the next ones in the order of their ids, which starts again at its end. */
  async next({ known, after, limit }: AssetQuery): Promise<ScannedAsset[]> {
    const others = 'FROM media_assets a WHERE a.environment_id = $1 AND a.id <> ALL($2::uuid[])';
    return this.query<ScannedAsset>(
      `(SELECT ${columns} FROM media_assets a WHERE a.environment_id = $1 AND a.id = ANY($2::uuid[]))
       UNION ALL (SELECT * FROM (
         (SELECT ${columns} ${others} AND a.id > $3 ORDER BY a.id LIMIT $4)
         UNION ALL (SELECT ${columns} ${others} AND a.id <= $3 ORDER BY a.id LIMIT $4)) AS turn LIMIT $4)`,
      [this.environmentId, [...known], after, limit],
    );
  }
}

/** Translations of the environment. */
export class TranslationScanRepository extends Repository {
  /** Entries with a translation that is stale and live. */
  async staleAndLive({ since, until, known, limit }: Omit<Scan, 'catalog'>): Promise<FoundEntry[]> {
    return this.query<FoundEntry>(
      `WITH changed AS MATERIALIZED (
         SELECT entry_id FROM entry_publications WHERE environment_id = $1 AND at <= $3 AND ($2::timestamptz IS NULL OR at > $2)
         UNION SELECT entry_id FROM translations WHERE environment_id = $1 AND status = 'stale' AND NOT is_deleted
           AND ($2::timestamptz IS NULL OR updated_at > $2)
         UNION SELECT unnest($4::uuid[])),
       found AS (
         SELECT u.entry_id, u.locale, u.stale_at AS at, jsonb_build_object('staleAt', u.stale_at, 'reason', u.stale_reason,
           'fields', u.outdated, 'publishedAt', l.published_at) AS evidence
         FROM changed c JOIN translations u ON u.environment_id = $1 AND u.entry_id = c.entry_id AND u.status = 'stale'
             AND NOT u.is_deleted
           JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = u.entry_id AND l.locale = u.locale
             AND l.published_version IS NOT NULL)
       ${groupedEntries}`,
      [this.environmentId, since, until, [...known], limit],
    );
  }
}
