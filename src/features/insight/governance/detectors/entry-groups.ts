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
