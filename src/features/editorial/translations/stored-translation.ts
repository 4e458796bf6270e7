import type { TranslationLocale } from '../../../../contracts/editorial/translations/translation.js';

/** From JSON: times are strings of PostgreSQL. */
export interface StoredTranslation extends Omit<TranslationLocale, 'staleReason'> {
  /** For each field, the source that it was made from. */
  readonly provenance: Readonly<Record<string, { readonly hash: string | null; readonly version: number }>>;
}

export interface TranslatedEntry {
  readonly entryId: string;
  readonly title: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  /** By locale. */
  readonly locales: readonly StoredTranslation[];
}

/** `t` is the translation, `s` its source. Values of blocks that were removed do not count. */
const progress = `(SELECT CASE WHEN NOT t.is_written THEN 0 WHEN count(*) = 0 THEN 1
    ELSE round(count(*) FILTER (WHERE name = ANY (t.names)) / count(*)::numeric, 4) END
  FROM unnest(s.names) AS name WHERE strpos(name, '[') = 0 OR split_part(split_part(name, '[', 2), ']', 1) = ANY (own.ids))`;

/** Blocks of the entry `e` in lists that all locales share. */
const ownBlocks = `CROSS JOIN LATERAL (SELECT CASE WHEN strpos(array_to_string(s.names, ' '), '[') > 0 THEN ARRAY(
    SELECT ref #>> '{}' FROM jsonb_path_query(e.shared_fields, 'strict $.**._ref', silent => true) AS ref) END AS ids OFFSET 0) AS own`;

const translationJson = `jsonb_build_object('locale', t.locale, 'status', t.status, 'assigneeId', t.assignee_id, 'priority', t.priority,
  'dueAt', t.due_at, 'note', t.note, 'progress', ${progress}, 'publishedAt', l.published_at,
  'sourceVersion', (SELECT nullif(max((p.value ->> 'version')::int), 0) FROM jsonb_each(t.provenance) AS p),
  'outdatedFields', t.outdated, 'staleComment', t.stale_reason, 'updatedAt', t.updated_at, 'provenance', t.provenance)`;

/** Columns of {@link TranslatedEntry} for an entry `e`; `$1` is the environment. */
export const translatedEntryColumns = `e.id AS "entryId", e.content_type_id AS "contentTypeId", e.site_id AS "siteId",
  coalesce((SELECT x.title FROM entry_locales x WHERE x.environment_id = $1 AND x.entry_id = e.id AND x.is_shown), '') AS title,
  coalesce((SELECT jsonb_agg(${translationJson} ORDER BY t.locale) FROM translations t
    LEFT JOIN translation_sources s ON s.environment_id = t.environment_id AND s.entry_id = t.entry_id
    LEFT JOIN entry_locales l ON l.environment_id = t.environment_id AND l.entry_id = t.entry_id AND l.locale = t.locale
    ${ownBlocks}
    WHERE t.environment_id = $1 AND t.entry_id = e.id), '[]') AS locales`;
