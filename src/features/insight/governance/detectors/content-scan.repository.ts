import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Scan } from './detector.js';

/** What was found in one locale of an entry, as the evidence shows it; null is all of them. */
type LocaleEvidence = Readonly<Record<string, unknown>> & { readonly locale: string | null };

export interface FoundEntry {
  readonly entryId: string;
  readonly title: string;
  readonly contentTypeApiName: string;
  readonly siteId: string;
  /** In order, the first {@link EVIDENCE_LOCALES}. */
  readonly locales: readonly LocaleEvidence[];
  readonly total: number;
}

const EVIDENCE_LOCALES = 50;

/**
 * Entries of `found (entry_id, locale, at, evidence)`. `$1` is the environment, `$4` the known entries, `$5` the most
 * entries.
 */
export const groupedEntries = `SELECT f.entry_id AS "entryId", s.title, t.api_name AS "contentTypeApiName", s.site_id AS "siteId",
    f.total, f.locales
  FROM (SELECT entry_id, count(*)::int AS total, max(at) AS at,
      to_jsonb((array_agg(evidence || jsonb_build_object('locale', nullif(locale, '')) ORDER BY locale))[1:${String(EVIDENCE_LOCALES)}]) AS locales
    FROM found GROUP BY entry_id) AS f
  JOIN entry_locales s ON s.environment_id = $1 AND s.entry_id = f.entry_id AND s.is_shown AND NOT s.is_deleted
  JOIN content_types t ON t.environment_id = $1 AND t.id = s.content_type_id
  ORDER BY f.entry_id = ANY($4::uuid[]) DESC, f.at DESC, f.entry_id LIMIT $5`;

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
