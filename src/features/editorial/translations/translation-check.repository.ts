import { Repository } from '../../../persistence/repositories/repository.js';

/** A row or counter of translations that differs from the entries. */
export interface TranslationDifference {
  readonly of: string;
  readonly problem: string;
}

/** Entries of other types have no translations. */
const withLocales = (of: string): string =>
  `JOIN content_types t ON t.environment_id = ${of}.environment_id AND t.id = ${of}.content_type_id AND t.is_localized`;

const expected = `SELECT e.environment_id, e.id AS entry_id, target.locale, e.deleted_at IS NOT NULL AS is_deleted,
    e.content_type_id, e.site_id, l.locale IS NOT NULL AS is_written, field_names(coalesce(l.fields, '{}')) AS names
  FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id ${withLocales('e')}
    CROSS JOIN unnest(s.locales) AS target (locale)
    LEFT JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id AND l.locale = target.locale
  WHERE e.environment_id = $1 AND target.locale <> s.default_locale`;

const sources = `SELECT l.tenant_id, l.entry_id, field_names(l.fields) AS names, l.published_version AS version,
    field_hashes(l.fields) AS hashes, l.published_content_hash = l.content_hash AS is_live
  FROM entry_locales l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale
    ${withLocales('l')}
  WHERE l.environment_id = $1 AND cardinality(s.locales) > 1`;

const checks = {
  rows: `WITH truth AS (${expected}), kept AS (SELECT * FROM translations WHERE environment_id = $1)
    SELECT 'translation ' || entry_id || ' ' || locale AS "of", CASE WHEN kept.status IS NULL THEN 'missing'
        WHEN truth.names IS NULL THEN 'the site has no such locale' ELSE 'differs from what is written' END AS problem
    FROM truth FULL JOIN kept USING (environment_id, entry_id, locale)
    WHERE (truth.is_deleted, truth.content_type_id, truth.site_id, truth.is_written, truth.names) IS DISTINCT FROM
      (kept.is_deleted, kept.content_type_id, kept.site_id, kept.is_written, kept.names) LIMIT $2`,
  sources: `WITH truth AS (${sources}),
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
      SELECT content_type_id, site_id, '', statuses, is_deleted, count(*)
        FROM (SELECT content_type_id, site_id, is_deleted, entry_id, string_agg(DISTINCT status, ',' ORDER BY status) AS statuses
          FROM translations WHERE environment_id = $1 GROUP BY 1, 2, 3, 4) AS sets GROUP BY 1, 2, 4, 5),
    kept AS (SELECT content_type_id, site_id, locale, status, is_deleted, sum(entries) AS n FROM translation_counts
      WHERE environment_id = $1 GROUP BY 1, 2, 3, 4, 5)
    SELECT 'count of translations ' || concat_ws(' ', content_type_id, site_id, nullif(locale, ''), status) AS "of",
      coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
    FROM truth FULL JOIN kept USING (content_type_id, site_id, locale, status, is_deleted)
    WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`,
} as const;

/** A row that is new, or written as `truth` says; fields without provenance count as made from the source as it is. */
const repairs = [
  `DELETE FROM translations t WHERE t.environment_id = $1 AND NOT EXISTS (SELECT FROM (${expected}) AS truth
     WHERE truth.entry_id = t.entry_id AND truth.locale = t.locale)`,
  `INSERT INTO translations AS t (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, is_deleted, is_written, names,
     provenance, updated_at)
   SELECT e.tenant_id, $1, e.id, truth.locale, truth.content_type_id, truth.site_id, truth.is_deleted, truth.is_written, truth.names,
     source_marks(coalesce(l.fields, '{}'), truth.names, e.version), e.updated_at
   FROM (${expected}) AS truth JOIN entries e ON e.environment_id = $1 AND e.id = truth.entry_id
     JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
     LEFT JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id AND l.locale = s.default_locale
   ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET content_type_id = excluded.content_type_id,
     site_id = excluded.site_id, is_deleted = excluded.is_deleted, is_written = excluded.is_written, names = excluded.names,
     provenance = CASE WHEN excluded.is_written THEN excluded.provenance || t.provenance ELSE '{}' END
   WHERE (t.content_type_id, t.site_id, t.is_deleted, t.is_written, t.names) IS DISTINCT FROM
     (excluded.content_type_id, excluded.site_id, excluded.is_deleted, excluded.is_written, excluded.names)`,
  `DELETE FROM translation_sources k WHERE k.environment_id = $1 AND NOT EXISTS (SELECT FROM (${sources}) AS truth
     WHERE truth.entry_id = k.entry_id)`,
  `INSERT INTO translation_sources AS k (tenant_id, environment_id, entry_id, names, version, hashes)
   SELECT truth.tenant_id, $1, truth.entry_id, truth.names, CASE WHEN truth.is_live THEN truth.version END,
     CASE WHEN truth.is_live THEN truth.hashes ELSE '{}' END FROM (${sources}) AS truth
   ON CONFLICT (environment_id, entry_id) DO UPDATE SET names = excluded.names,
     version = coalesce(excluded.version, k.version),
     hashes = CASE WHEN excluded.version IS NULL THEN k.hashes ELSE excluded.hashes END
   WHERE k.names <> excluded.names OR (excluded.version IS NOT NULL
     AND (k.version IS DISTINCT FROM excluded.version OR k.hashes <> excluded.hashes))`,
  `UPDATE translations t SET outdated = outdated_fields(t.provenance, s.hashes, s.version)
   FROM translations o LEFT JOIN translation_sources s ON s.environment_id = o.environment_id AND s.entry_id = o.entry_id
   WHERE o.environment_id = $1 AND t.environment_id = $1 AND t.entry_id = o.entry_id AND t.locale = o.locale
     AND t.outdated <> outdated_fields(t.provenance, s.hashes, s.version)`,
] as const;

/** Compares translations, their sources and their counters with the entries. */
export class TranslationCheckRepository extends Repository {
  async differences(limit: number): Promise<TranslationDifference[]> {
    await this.allowTime(600);
    const found: TranslationDifference[] = [];
    for (const check of Object.values(checks))
      found.push(...(await this.query<TranslationDifference>(check, [this.environmentId, limit])));
    return found;
  }

  /** Writes what differs again; statuses follow from it. */
  async repair(): Promise<void> {
    await this.allowTime(600);
    for (const repair of repairs) await this.query(repair, [this.environmentId]);
  }
}
