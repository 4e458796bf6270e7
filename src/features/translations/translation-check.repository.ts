import { Repository } from '../../persistence/repositories/repository.js';

/** A row or counter of translations that differs from the entries. */
export interface TranslationDifference {
  readonly of: string;
  readonly problem: string;
}

const expected = `SELECT e.environment_id, e.id AS entry_id, target.locale, e.deleted_at IS NOT NULL AS is_deleted,
    e.content_type_id, e.site_id, l.locale IS NOT NULL AS is_written, field_names(coalesce(l.fields, '{}')) AS names
  FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
    CROSS JOIN unnest(s.locales) AS target (locale)
    LEFT JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = target.locale
  WHERE e.environment_id = $1 AND target.locale <> s.default_locale`;

const checks = {
  rows: `WITH truth AS (${expected}), kept AS (SELECT * FROM translations WHERE environment_id = $1)
    SELECT 'translation ' || entry_id || ' ' || locale AS "of", CASE WHEN kept.status IS NULL THEN 'missing'
        WHEN truth.names IS NULL THEN 'the site has no such locale' ELSE 'differs from what is written' END AS problem
    FROM truth FULL JOIN kept USING (environment_id, entry_id, locale)
    WHERE (truth.is_deleted, truth.content_type_id, truth.site_id, truth.is_written, truth.names) IS DISTINCT FROM
      (kept.is_deleted, kept.content_type_id, kept.site_id, kept.is_written, kept.names) LIMIT $2`,
  sources: `WITH truth AS (
      SELECT l.entry_id, field_names(l.fields) AS names, l.published_version AS version, field_hashes(l.fields) AS hashes,
        l.published_content_hash = l.content_hash AS is_live
      FROM entry_locales l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale
      WHERE l.environment_id = $1 AND cardinality(s.locales) > 1),
    kept AS (SELECT entry_id, names, version, hashes FROM translation_sources WHERE environment_id = $1)
    SELECT 'source of ' || entry_id AS "of", 'differs from what is written and published' AS problem
    FROM truth FULL JOIN kept USING (entry_id)
    WHERE truth.names IS DISTINCT FROM kept.names
      OR (truth.is_live AND (kept.version IS DISTINCT FROM truth.version OR kept.hashes <> truth.hashes)) LIMIT $2`,
  outdated: `SELECT 'translation ' || t.entry_id || ' ' || t.locale AS "of", 'the outdated fields differ' AS problem
    FROM translations t LEFT JOIN translation_sources s ON s.environment_id = t.environment_id AND s.entry_id = t.entry_id
    WHERE t.environment_id = $1 AND t.outdated <> outdated_fields(t.provenance, s.hashes, s.version) LIMIT $2`,
  counts: `WITH truth AS (
      SELECT content_type_id, site_id, locale, status, is_deleted, count(*) AS n FROM translations
        WHERE environment_id = $1 GROUP BY 1, 2, 3, 4, 5
      UNION ALL
      SELECT content_type_id, site_id, '', status, is_deleted, count(DISTINCT entry_id) FROM translations
        WHERE environment_id = $1 GROUP BY 1, 2, 4, 5),
    kept AS (SELECT content_type_id, site_id, locale, status, is_deleted, sum(entries) AS n FROM translation_counts
      WHERE environment_id = $1 GROUP BY 1, 2, 3, 4, 5)
    SELECT 'count of translations ' || concat_ws(' ', content_type_id, site_id, nullif(locale, ''), status) AS "of",
      coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
    FROM truth FULL JOIN kept USING (content_type_id, site_id, locale, status, is_deleted)
    WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`,
} as const;

/** Compares translations, their sources and their counters with the entries. */
export class TranslationCheckRepository extends Repository {
  async differences(limit: number): Promise<TranslationDifference[]> {
    await this.allowTime(600);
    const found: TranslationDifference[] = [];
    for (const check of Object.values(checks))
      found.push(...(await this.query<TranslationDifference>(check, [this.environmentId, limit])));
    return found;
  }
}
