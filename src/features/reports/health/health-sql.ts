import type { Bind } from '../report-scope.js';
import type { HealthModel, RequiredField } from './health-model.js';

/** What `String.prototype.trim` removes. */
const blank = '\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const hasText = `like_regex "[^${blank}]"`;

/** Whether the value `v` of the required field `f` counts as missing, as the kinds of fields say when it is published. */
const isMissing = `CASE WHEN v IS NULL OR v = 'null' THEN true
    WHEN r.is_rich_text THEN NOT jsonb_path_exists(v, '$.**.text ? (@ ${hasText})') AND NOT jsonb_path_exists(v, '$.**.assetId')
      AND NOT jsonb_path_exists(v, '$.**.caption ? (@ ${hasText})')
    WHEN jsonb_typeof(v) = 'string' THEN NOT jsonb_path_exists(v, '$ ? (@ ${hasText})')
    WHEN f.is_list AND jsonb_typeof(v) = 'array' THEN NOT jsonb_path_exists(v, 'strict $[*] ? (@.type() != "string" || @ ${hasText})')
    ELSE false END`;

/** Fields `f` with what their kind says. */
const requiredSql = (fields: readonly RequiredField[], bind: Bind): string =>
  `unnest(${bind(fields.map(({ id }) => id))}::uuid[], ${bind(fields.map(({ isRichText }) => isRichText))}::boolean[])
      AS r (id, is_rich_text) JOIN fields f ON f.environment_id = $1 AND f.id = r.id`;

/**
 * What was published as it is was complete then, so that only drafts and fields changed since are read. `OFFSET 0`
 * keeps a value from being read again for each condition.
 */
const missingRequired = ({ required }: HealthModel, bind: Bind): string => `
  SELECT p.entry_id, 'missing_required', f.api_name, p.locale
    FROM ${requiredSql(
      required.filter(({ isLocalized }) => isLocalized),
      bind,
    )}
      JOIN place p ON p.content_type_id = f.content_type_id AND (p.status <> 'published' OR p.published_at < f.updated_at)
      CROSS JOIN LATERAL (SELECT p.fields -> f.api_name AS v OFFSET 0) AS own WHERE ${isMissing}
  UNION ALL SELECT o.entry_id, 'missing_required', f.api_name, NULL
    FROM ${requiredSql(
      required.filter(({ isLocalized }) => !isLocalized),
      bind,
    )}
      JOIN owner o ON o.content_type_id = f.content_type_id JOIN entries e ON e.environment_id = $1 AND e.id = o.entry_id
      CROSS JOIN LATERAL (SELECT e.shared_fields -> f.api_name AS v OFFSET 0) AS own WHERE ${isMissing}`;

const missingAltText = ({ chains }: HealthModel, bind: Bind): string => `
  SELECT DISTINCT k.entry_id, 'missing_alt_text', f.api_name, p.locale
    FROM media_assets a JOIN entry_links k ON k.environment_id = $1 AND k.target_id = a.id AND k.is_media
      JOIN fields f ON f.environment_id = $1 AND f.id = k.field_id
      JOIN place p ON p.entry_id = k.entry_id AND (k.locale = '' OR k.locale = p.locale)
    WHERE a.environment_id = $1 AND a.mime_family = 'image' AND NOT EXISTS (
      SELECT FROM media_asset_locales m
        JOIN unnest(${bind(chains.map(({ locale }) => locale))}::text[], ${bind(chains.map(({ served }) => served))}::text[])
          AS c (locale, served) ON c.served = m.locale
      WHERE m.environment_id = $1 AND m.asset_id = a.id AND m.alt_text IS NOT NULL AND c.locale = p.locale)`;

const translations = ({ translatedTypeIds }: HealthModel, bind: Bind): string => `
  SELECT t.entry_id, t.status || '_translation', NULL, t.locale FROM translation t
    WHERE t.status IN ('missing', 'stale') AND t.content_type_id = ANY(${bind(translatedTypeIds)}::uuid[])`;

const brokenReferences = `
  SELECT DISTINCT k.entry_id, 'broken_reference', f.api_name, nullif(k.locale, '')
    FROM entry_links k JOIN owner o ON o.entry_id = k.entry_id JOIN fields f ON f.environment_id = $1 AND f.id = k.field_id
    WHERE k.environment_id = $1
      AND NOT EXISTS (SELECT FROM entries e WHERE NOT k.is_media AND e.environment_id = $1 AND e.id = k.target_id
        AND e.deleted_at IS NULL)
      AND NOT EXISTS (SELECT FROM media_assets a WHERE k.is_media AND a.environment_id = $1 AND a.id = k.target_id)
      AND (k.locale = '' OR EXISTS (SELECT FROM place p WHERE p.entry_id = k.entry_id AND p.locale = k.locale))`;

const orphaned = ({ pageTypeIds, blockTypeIds, homeEntryIds }: HealthModel, bind: Bind): string => `
  SELECT o.entry_id, 'orphaned', NULL, NULL FROM owner o
    WHERE o.content_type_id = ANY(${bind(pageTypeIds)}::uuid[]) AND o.entry_id <> ALL (${bind(homeEntryIds)}::uuid[])
      AND NOT EXISTS (SELECT FROM tree_nodes n WHERE n.environment_id = $1 AND n.entry_id = o.entry_id)
  UNION ALL SELECT o.entry_id, 'orphaned', NULL, NULL FROM owner o
    WHERE o.content_type_id = ANY(${bind(blockTypeIds)}::uuid[])
      AND NOT EXISTS (SELECT FROM entry_links k JOIN entries h ON h.environment_id = $1 AND h.id = k.entry_id AND h.deleted_at IS NULL
        WHERE k.environment_id = $1 AND k.target_id = o.entry_id AND k.entry_id <> o.entry_id)`;

/** Slugs are unique by type outside trees, and by path inside them. */
const duplicateSlugs = ({ blockTypeIds }: HealthModel, bind: Bind): string => {
  const blocks = bind(blockTypeIds);
  const isSlugged = (alias: string): string =>
    `NOT ${alias}.in_tree AND ${alias}.content_type_id <> ALL (${blocks}::uuid[])`;
  return `
  SELECT p.entry_id, 'duplicate_slug', NULL, p.locale FROM place p
    WHERE ${isSlugged('p')} AND EXISTS (SELECT FROM entry_locales o WHERE o.environment_id = $1 AND NOT o.is_deleted
      AND ${isSlugged('o')} AND o.site_id = p.site_id AND o.locale = p.locale AND o.slug = p.slug
      AND o.content_type_id <> p.content_type_id)`;
};

/** The first change since the publication, of the locale or of shared values. */
const driftSince = `coalesce((SELECT min(v.created_at) FROM entry_versions v WHERE v.environment_id = $1 AND v.entry_id = p.entry_id
      AND v.version_num > p.published_version AND (v.locale = p.locale OR md5(v.shared_fields::text) <> p.published_shared_hash)),
    p.updated_at)`;

export interface HealthTimes {
  /** Content published before it is stale. */
  readonly stale: Date;
  /** Changes made before it are forgotten. */
  readonly drift: Date;
}

const states = ({ sluggedTypeIds }: HealthModel, { stale, drift }: HealthTimes, bind: Bind): string => {
  const since = `${bind(drift)}::timestamptz`;
  return `
  SELECT p.entry_id, c.code, NULL, p.locale FROM place p CROSS JOIN LATERAL (VALUES
      ('no_slug', p.slug = p.entry_id::text AND p.content_type_id = ANY(${bind(sluggedTypeIds)}::uuid[])),
      ('stale_content', p.published_version IS NOT NULL AND p.published_at < ${bind(stale)}::timestamptz),
      ('draft_drift', p.status = 'changed' AND p.published_at < ${since} AND ${driftSince} < ${since})) AS c (code, holds)
    WHERE c.holds`;
};

/**
 * Rows of entry, code, field and locale. Reads `place`, the locales of entries that are in scope, `owner`, their
 * entries, and `translation`, their translations; `$1` is the environment.
 */
export function issuesSql(model: HealthModel, times: HealthTimes, bind: Bind): string {
  const parts = [missingRequired, missingAltText, translations, orphaned, duplicateSlugs].map((part) =>
    part(model, bind),
  );
  return [...parts, brokenReferences, states(model, times, bind)].join('\n  UNION ALL ');
}
