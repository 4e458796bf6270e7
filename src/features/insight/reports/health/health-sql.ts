import { valuePartsSql } from '../../../environments/renames/index.js';
import type { Bind } from '../report-scope.js';
import { healthDays, type HealthModel, type RequiredField } from './health-model.js';

/** `block_id` of issues that are not in a block. */
const NO_BLOCK = '00000000-0000-0000-0000-000000000000';
export const noBlock = `'${NO_BLOCK}'::uuid`;

/**
 * Common table expressions with the own blocks of drafts, after `place` and `owner`. `shared_block` has those of lists
 * that all locales share with their shared values; `local_block` their localized values and, whole, the blocks of
 * localized lists.
 */
const blocksSql = `holder AS MATERIALIZED (SELECT o.entry_id, o.content_type_id FROM owner o
      WHERE EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.entry_id = o.entry_id)),
    shared_block AS MATERIALIZED (SELECT h.entry_id, v.id::uuid AS id, v.type_name, v.own FROM holder h
      JOIN entries e ON e.environment_id = $1 AND e.id = h.entry_id
      CROSS JOIN LATERAL ${valuePartsSql('e.shared_fields', 'e.id', 'e.content_type_id')} AS v WHERE v.id IS NOT NULL),
    local_block AS MATERIALIZED (SELECT p.entry_id, p.locale, v.id::uuid AS id, v.type_name, v.own, v.is_whole FROM holder h
      JOIN place p ON p.entry_id = h.entry_id
      CROSS JOIN LATERAL ${valuePartsSql('p.fields', 'p.entry_id', 'p.content_type_id')} AS v WHERE v.id IS NOT NULL)`;

/** Joins a link `k` with the blocks `b` whose values have it; `b.id` is null where it is in the entry itself. */
const linkingBlocks = `LEFT JOIN LATERAL (
      SELECT part.id FROM fields f JOIN content_types t ON t.environment_id = $1 AND t.id = f.content_type_id
        JOIN (SELECT entry_id, '' AS locale, id, type_name, own FROM shared_block
          UNION ALL SELECT entry_id, locale, id, type_name, own FROM local_block) AS part
          ON part.entry_id = k.entry_id AND part.locale = k.locale AND part.type_name = t.api_name
      WHERE f.environment_id = $1 AND f.id = k.field_id
        AND strpos((part.own -> f.api_name)::text, k.target_id::text) > 0) AS b ON true`;

/** `field_id` of issues that are not about a field. */
export const NO_FIELD = '00000000-0000-0000-0000-000000000000';
const noField = `'${NO_FIELD}'::uuid`;
/** Issues that are not about time. */
const always = `'-infinity'::timestamptz`;

/** What `String.prototype.trim` removes. */
const blank = '\\t\\n\\u000b\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const hasText = `like_regex "[^${blank}]"`;

/** Embeds and mentions, in both spellings. */
const shown = '^(asset|entry)(E|_e)mbed$|^entry(M|_m)ention$';

/** Whether the value `v` of the required field `f` counts as missing, as the kinds of fields say when it is published. */
const isMissing = `CASE WHEN v IS NULL OR v = 'null' THEN true
    WHEN r.is_rich_text THEN NOT jsonb_path_exists(v, '$.**.text ? (@ ${hasText})')
      AND NOT jsonb_path_exists(v, '$.** ? (@.type like_regex "${shown}")')
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
  SELECT p.entry_id, 'missing_required', p.locale, f.id, ${noBlock}, ${always}
    FROM ${requiredSql(
      required.filter(({ isLocalized }) => isLocalized),
      bind,
    )}
      JOIN place p ON p.content_type_id = f.content_type_id AND (p.status <> 'published' OR p.published_at < f.updated_at)
      CROSS JOIN LATERAL (SELECT p.fields -> f.api_name AS v OFFSET 0) AS own WHERE ${isMissing}
  UNION ALL SELECT o.entry_id, 'missing_required', '', f.id, ${noBlock}, ${always}
    FROM ${requiredSql(
      required.filter(({ isLocalized }) => !isLocalized),
      bind,
    )}
      JOIN owner o ON o.content_type_id = f.content_type_id JOIN entries e ON e.environment_id = $1 AND e.id = o.entry_id
      CROSS JOIN LATERAL (SELECT e.shared_fields -> f.api_name AS v OFFSET 0) AS own WHERE ${isMissing}`;

/** As {@link missingRequired}, of blocks. */
function missingInBlocks({ required }: HealthModel, bind: Bind): string {
  const typed = (fields: readonly RequiredField[]): string =>
    `${requiredSql(fields, bind)} JOIN content_types t ON t.environment_id = $1 AND t.id = f.content_type_id`;
  const localized = required.filter(({ isLocalized }) => isLocalized);
  const shared = required.filter(({ isLocalized }) => !isLocalized);
  const isOpen = `(p.status <> 'published' OR p.published_at < f.updated_at)`;
  const own = (value: string): string =>
    `CROSS JOIN LATERAL (SELECT ${value} -> f.api_name AS v OFFSET 0) AS own WHERE ${isMissing}`;
  return `
  SELECT b.entry_id, 'missing_required', p.locale, f.id, b.id, ${always}
    FROM ${typed(localized)} JOIN shared_block b ON b.type_name = t.api_name JOIN place p ON p.entry_id = b.entry_id AND ${isOpen}
      LEFT JOIN local_block l ON l.entry_id = b.entry_id AND l.locale = p.locale AND l.id = b.id AND NOT l.is_whole ${own('l.own')}
  UNION ALL SELECT b.entry_id, 'missing_required', '', f.id, b.id, ${always}
    FROM ${typed(shared)} JOIN shared_block b ON b.type_name = t.api_name ${own('b.own')}
  UNION ALL SELECT b.entry_id, 'missing_required', b.locale, f.id, b.id, ${always}
    FROM ${typed(required)} JOIN local_block b ON b.type_name = t.api_name AND b.is_whole
      JOIN place p ON p.entry_id = b.entry_id AND p.locale = b.locale AND ${isOpen} ${own('b.own')}`;
}

const missingAltText = ({ chains }: HealthModel, bind: Bind): string => `
  SELECT DISTINCT k.entry_id, 'missing_alt_text', p.locale, k.field_id, coalesce(b.id, ${noBlock}), ${always}
    FROM media_assets a JOIN entry_links k ON k.environment_id = $1 AND k.target_id = a.id AND k.is_media
      JOIN place p ON p.entry_id = k.entry_id AND (k.locale = '' OR k.locale = p.locale)
      ${linkingBlocks}
    WHERE a.environment_id = $1 AND a.mime_family = 'image' AND NOT EXISTS (
      SELECT FROM media_asset_locales m
        JOIN unnest(${bind(chains.map(({ locale }) => locale))}::text[], ${bind(chains.map(({ served }) => served))}::text[])
          AS c (locale, served) ON c.served = m.locale
      WHERE m.environment_id = $1 AND m.asset_id = a.id AND m.alt_text IS NOT NULL AND c.locale = p.locale)`;

const brokenReferences = `
  SELECT DISTINCT k.entry_id, 'broken_reference', k.locale, k.field_id, coalesce(b.id, ${noBlock}), ${always}
    FROM entry_links k JOIN owner o ON o.entry_id = k.entry_id ${linkingBlocks}
    WHERE k.environment_id = $1
      AND NOT EXISTS (SELECT FROM entries e WHERE NOT k.is_media AND e.environment_id = $1 AND e.id = k.target_id
        AND e.deleted_at IS NULL)
      AND NOT EXISTS (SELECT FROM media_assets a WHERE k.is_media AND a.environment_id = $1 AND a.id = k.target_id)
      AND (k.locale = '' OR EXISTS (SELECT FROM place p WHERE p.entry_id = k.entry_id AND p.locale = k.locale))`;

/** Pages of sites that are outside their trees are found, too. */
const orphaned = ({ pageTypeIds, blockTypeIds }: HealthModel, bind: Bind): string => `
  SELECT o.entry_id, 'orphaned', '', ${noField}, ${noBlock}, ${always} FROM owner o
    WHERE o.content_type_id = ANY(${bind(pageTypeIds)}::uuid[])
      AND NOT EXISTS (SELECT FROM tree_nodes n WHERE n.environment_id = $1 AND n.entry_id = o.entry_id)
  UNION ALL SELECT o.entry_id, 'orphaned', '', ${noField}, ${noBlock}, ${always} FROM owner o
    WHERE o.content_type_id = ANY(${bind(blockTypeIds)}::uuid[])
      AND NOT EXISTS (SELECT FROM entry_links k JOIN entries h ON h.environment_id = $1 AND h.id = k.entry_id AND h.deleted_at IS NULL
        WHERE k.environment_id = $1 AND k.target_id = o.entry_id AND k.entry_id <> o.entry_id)`;

/** Slugs are unique by type outside trees, and by path inside them. */
const duplicateSlugs = ({ blockTypeIds }: HealthModel, bind: Bind): string => {
  const blocks = bind(blockTypeIds);
  const isSlugged = (alias: string): string =>
    `NOT ${alias}.in_tree AND ${alias}.content_type_id <> ALL (${blocks}::uuid[])`;
  return `
  SELECT p.entry_id, 'duplicate_slug', p.locale, ${noField}, ${noBlock}, ${always} FROM place p
    WHERE ${isSlugged('p')} AND EXISTS (SELECT FROM entry_locales o WHERE o.environment_id = $1 AND NOT o.is_deleted
      AND ${isSlugged('o')} AND o.site_id = p.site_id AND o.locale = p.locale AND o.slug = p.slug
      AND o.content_type_id <> p.content_type_id)`;
};

/** The first change since the publication, of the locale or of shared values. */
const driftSince = `coalesce((SELECT min(v.created_at) FROM whole_versions v WHERE v.environment_id = $1 AND v.entry_id = p.entry_id
      AND v.version_num > p.published_version AND (v.locale = p.locale OR md5(v.shared_fields::text) <> p.published_shared_hash)),
    p.updated_at)`;

const days = (count: number): string => `interval '${String(count * 24)} hours'`;

const states = ({ sluggedTypeIds }: HealthModel, bind: Bind): string => `
  SELECT p.entry_id, c.code, p.locale, ${noField}, ${noBlock}, c.holds_from FROM place p CROSS JOIN LATERAL (VALUES
      ('no_slug', CASE WHEN p.slug = p.entry_id::text AND p.content_type_id = ANY(${bind(sluggedTypeIds)}::uuid[]) THEN ${always} END),
      ('stale_content', CASE WHEN p.published_version IS NOT NULL THEN p.published_at + ${days(healthDays.stale)} END),
      ('draft_drift', CASE WHEN p.status = 'changed' AND p.published_at IS NOT NULL
        THEN greatest(p.published_at, ${driftSince}) + ${days(healthDays.drift)} END)) AS c (code, holds_from)
    WHERE c.holds_from IS NOT NULL`;

const placeColumns = `l.entry_id, l.locale, l.site_id, l.content_type_id, l.slug, l.fields, l.status, l.in_tree, l.published_at,
  l.published_version, l.published_shared_hash, l.updated_at`;

interface Subjects {
  /** SQL condition for the entries, which are `l.entry_id`. */
  readonly among: string;
  /** They are read once, and everything about them is found by their keys. */
  readonly isFew: boolean;
}

/**
 * Common table expressions that find the issues of entries, without regard to the caller's permissions. The last one,
 * `found`, has the columns of stored issues; `$1` is the environment.
 */
export function foundSql(model: HealthModel, bind: Bind, { among, isFew }: Subjects): string {
  const parts = [missingRequired, missingInBlocks, missingAltText, orphaned, duplicateSlugs, states].map(
    (part) => part(model, bind),
  );
  const issues = [...parts, brokenReferences].join('\n  UNION ALL ');
  return `place AS ${isFew ? '' : 'NOT '}MATERIALIZED (SELECT ${placeColumns} FROM entry_locales l
      WHERE l.environment_id = $1 AND NOT l.is_deleted AND ${among}),
    owner AS MATERIALIZED (SELECT DISTINCT entry_id, content_type_id, site_id FROM place),
    ${blocksSql},
    raised (entry_id, code, locale, field_id, block_id, holds_from) AS MATERIALIZED (${issues}),
    found AS MATERIALIZED (SELECT o.entry_id, o.content_type_id, o.site_id, i.code, i.locale, i.field_id, i.block_id, i.holds_from FROM raised i JOIN owner o USING (entry_id))`;
}
