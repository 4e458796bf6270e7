import { Repository } from '../../../persistence/repositories/repository.js';

/** A derived column or counter that differs from its source rows. */
export interface MarkDifference {
  /** Entry and locale, or the counter. */
  readonly of: string;
  readonly problem: string;
}

const checks = {
  marks: `SELECT l.entry_id || ' ' || l.locale AS "of",
      concat_ws(', ', CASE WHEN l.shared_hash <> e.shared_hash THEN 'the hash of shared values differs' END,
        CASE WHEN l.is_deleted <> (e.deleted_at IS NOT NULL) THEN 'the mark of deletion differs' END,
        CASE WHEN l.is_shown <> (l.locale = best.locale) THEN 'the mark of the shown locale differs' END) AS problem
    FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
      JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
      CROSS JOIN LATERAL (SELECT c.locale FROM entry_locales c WHERE c.environment_id = e.environment_id AND c.entry_id = e.id
        ORDER BY c.locale = s.default_locale DESC, c.created_at, c.locale LIMIT 1) AS best
    WHERE e.environment_id = $1 AND (l.shared_hash <> e.shared_hash OR l.is_deleted <> (e.deleted_at IS NOT NULL)
      OR l.is_shown <> (l.locale = best.locale)) LIMIT $2`,
  entryCounts: `WITH truth AS (
      SELECT l.content_type_id, l.site_id, shown.locale, l.status, l.is_deleted, coalesce(l.workflow_state, '') AS workflow_state,
        count(*) AS n
      FROM entry_locales l CROSS JOIN LATERAL (SELECT l.locale UNION ALL SELECT '' WHERE l.is_shown) AS shown (locale)
      WHERE l.environment_id = $1 GROUP BY 1, 2, 3, 4, 5, 6),
    kept AS (SELECT content_type_id, site_id, locale, status, is_deleted, workflow_state, sum(entries) AS n FROM entry_counts
      WHERE environment_id = $1 GROUP BY 1, 2, 3, 4, 5, 6)
    SELECT 'count of entries ' || concat_ws(' ', content_type_id, site_id, nullif(locale, ''), status,
        nullif(workflow_state, ''), CASE WHEN is_deleted THEN 'deleted' END) AS "of",
      coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
    FROM truth FULL JOIN kept USING (content_type_id, site_id, locale, status, is_deleted, workflow_state)
    WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`,
  publishedCounts: `WITH truth AS (SELECT content_type_id, site_id, locale, count(*) AS n FROM published_entries
      WHERE environment_id = $1 GROUP BY 1, 2, 3),
    kept AS (SELECT content_type_id, site_id, locale, sum(entries) AS n FROM published_counts
      WHERE environment_id = $1 GROUP BY 1, 2, 3)
    SELECT 'count of documents ' || concat_ws(' ', content_type_id, site_id, locale) AS "of",
      coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
    FROM truth FULL JOIN kept USING (content_type_id, site_id, locale)
    WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`,
} as const;

/** Compares derived columns and counters with the entries. */
export class MarkCheckRepository extends Repository {
  async differences(limit: number): Promise<MarkDifference[]> {
    await this.allowTime(600);
    const found: MarkDifference[] = [];
    for (const check of Object.values(checks))
      found.push(...(await this.query<MarkDifference>(check, [this.environmentId, limit])));
    return found;
  }

  /** Counts entries, documents and translations again. */
  async recount(): Promise<void> {
    await this.allowTime(600);
    await this.query('SELECT recount_environment($1)', [this.environmentId]);
  }
}
