import { Repository } from '../../../persistence/repositories/repository.js';
import type { Scan } from './detector.js';
import { groupedEntries, type FoundEntry } from './entry-groups.js';

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
