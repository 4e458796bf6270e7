import { isBlocksKind, isLinkKind } from '../../shared/field-kind-sql.js';
import { sharedHashes } from '../../shared/published-body.js';
import { ENTRIES_OF_TYPE, renameMarks, renewHashes, renewNames } from './renew-translations-sql.js';

/** What happens to a field in the own blocks of its type; without `to` and `list` the value is removed. */
export interface BlockChange {
  /** `apiName` of the block type, as items have it. */
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly list?: 'list' | 'single';
}

/** Another `apiName` of the type that links and blocks name. */
export interface LinkedTypeChange {
  readonly links: true;
  readonly from: string;
  readonly to: string;
}

/** Names of link and blocks fields by content type, see `0004-content-model`. */
const modelSql = `(SELECT jsonb_object_agg(m.type_name, jsonb_build_object('links', m.links, 'blockFields', m.blocks)) FROM (
    SELECT t.api_name AS type_name, jsonb_agg(f.api_name) AS links,
      coalesce(jsonb_agg(f.api_name) FILTER (WHERE ${isBlocksKind('f.type')}), '[]') AS blocks
    FROM content_types t JOIN fields f ON f.environment_id = t.environment_id AND f.content_type_id = t.id
    WHERE t.environment_id = $1 AND ${isLinkKind('f.type')} GROUP BY t.api_name) AS m)`;

const heldSql = (entryId: string): string => `(SELECT jsonb_object_agg(b.id, t.api_name) FROM owned_blocks b
    JOIN content_types t ON t.environment_id = b.environment_id AND t.id = b.content_type_id
    WHERE b.environment_id = $1 AND b.entry_id = ${entryId})`;

const typeNameSql = (contentTypeId: string): string =>
  `(SELECT t.api_name FROM content_types t WHERE t.environment_id = $1 AND t.id = ${contentTypeId})`;

/** What the functions for values of blocks in `0004-content-model` take. */
const inValues = (values: string, entryId: string, contentTypeId: string): string =>
  `${values}, ${typeNameSql(contentTypeId)}, ${modelSql}, ${heldSql(entryId)}`;

/** Values of an entry, then of the blocks that belong to it on all levels, see `0004-content-model`. */
export const valuePartsSql = (values: string, entryId: string, contentTypeId: string): string =>
  `value_parts(${inValues(values, entryId, contentTypeId)})`;

/** A field that values of the entry `e` have, and a locale, empty for shared values. */
interface LinkingField {
  readonly fieldId: string;
  readonly locale: string;
  readonly targetId: string;
}

/** Ids of the own blocks in the draft of the entry `e` whose field links to an entry or an asset. */
export const linkingBlocksSql = ({ fieldId, locale, targetId }: LinkingField): string => `ARRAY(
    SELECT DISTINCT v.id FROM fields f JOIN content_types t ON t.environment_id = $1 AND t.id = f.content_type_id
      CROSS JOIN LATERAL ${valuePartsSql(
        `CASE WHEN NOT EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.entry_id = e.id) THEN '{}'
        WHEN ${locale} = '' THEN e.shared_fields ELSE (SELECT w.fields FROM entry_locales w
          WHERE w.environment_id = $1 AND w.entry_id = e.id AND w.locale = ${locale}) END`,
        'e.id',
        'e.content_type_id',
      )} AS v
    WHERE f.environment_id = $1 AND f.id = ${fieldId} AND v.id IS NOT NULL AND v.type_name = t.api_name
      AND strpos((v.own -> f.api_name)::text, ${targetId}::text) > 0 ORDER BY 1)`;

/** Values after the change $2, once for each row. */
const changed = (values: string, entryId: string, contentTypeId: string): string =>
  `(SELECT with_block_change(${inValues(values, entryId, contentTypeId)}, $2::jsonb) AS changed OFFSET 0)`;

/**
 * Applies the change $2 to the drafts of environment $1, so that unchanged locales stay unchanged.
 * @param where on `e`, entries, and `l`, their locales: which drafts may have what changes
 */
export const changeDrafts = (where: { readonly entries: string; readonly locales: string }): string[] => {
  const shared = `e.environment_id = $1 AND ${where.entries}`;
  return [
    `UPDATE entry_locales l SET ${sharedHashes('n.changed')}
     FROM entries e CROSS JOIN LATERAL ${changed('e.shared_fields', 'e.id', 'e.content_type_id')} AS n
     WHERE ${shared} AND n.changed <> e.shared_fields AND l.environment_id = e.environment_id AND l.entry_id = e.id`,
    `UPDATE entries e SET shared_fields = n.changed
     FROM (SELECT e.id, n.changed FROM entries e CROSS JOIN LATERAL ${changed('e.shared_fields', 'e.id', 'e.content_type_id')} AS n
       WHERE ${shared}) AS n
     WHERE e.environment_id = $1 AND e.id = n.id AND n.changed <> e.shared_fields`,
    `UPDATE entry_locales l SET fields = n.changed, published_content_hash = CASE
       WHEN l.published_content_hash = l.content_hash THEN md5(l.slug || chr(10) || n.changed::text) ELSE l.published_content_hash END
     FROM (SELECT l.entry_id, l.locale, n.changed FROM entry_locales l
         CROSS JOIN LATERAL ${changed('l.fields', 'l.entry_id', 'l.content_type_id')} AS n
       WHERE l.environment_id = $1 AND ${where.locales}) AS n
     WHERE l.environment_id = $1 AND l.entry_id = n.entry_id AND l.locale = n.locale AND n.changed <> l.fields`,
  ];
};

/** Entries with blocks of a type. @param parameter SQL of the type's id */
const owners = (parameter: string): string =>
  `(SELECT b.entry_id FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = ${parameter})`;

/**
 * Values of own blocks of the type $2 in drafts: `entry_id`, `locale` (empty for a shared list), `root`, `id`, `own`.
 * Localized values of a block in a shared list are a row of their locale.
 */
export const blocksOfType = `SELECT e.id AS entry_id, '' AS locale, v.root, v.id, v.own FROM entries e
      CROSS JOIN LATERAL value_parts(${inValues('e.shared_fields', 'e.id', 'e.content_type_id')}) AS v
    WHERE e.environment_id = $1 AND e.id IN ${owners('$2')} AND v.id IS NOT NULL AND v.type_name = ${typeNameSql('$2')}
  UNION ALL SELECT l.entry_id, l.locale, v.root, v.id, v.own FROM entry_locales l
      CROSS JOIN LATERAL value_parts(${inValues('l.fields', 'l.entry_id', 'l.content_type_id')}) AS v
    WHERE l.environment_id = $1 AND l.entry_id IN ${owners('$2')} AND v.id IS NOT NULL AND v.type_name = ${typeNameSql('$2')}`;

/** Own blocks of all drafts: `entry_id`, `id`, `type_name`, `is_whole` (not localized values alone). */
export const blocksOfEntries = `SELECT e.id AS entry_id, v.id, v.type_name, v.is_whole FROM entries e
      CROSS JOIN LATERAL value_parts(${inValues('e.shared_fields', 'e.id', 'e.content_type_id')}) AS v
    WHERE e.environment_id = $1 AND strpos(e.shared_fields::text, '"_ref": ') > 0 AND v.id IS NOT NULL
  UNION ALL SELECT l.entry_id, v.id, v.type_name, v.is_whole FROM entry_locales l
      CROSS JOIN LATERAL value_parts(${inValues('l.fields', 'l.entry_id', 'l.content_type_id')}) AS v
    WHERE l.environment_id = $1 AND strpos(l.fields::text, '"_ref": ') > 0 AND v.id IS NOT NULL`;

/** Published own blocks of the type $2: `entry_id`, `locale`, `id`, `own`. */
export const publishedOfType = `SELECT p.entry_id, p.locale, b.id, b.block -> 'fields' AS own
    FROM published_entries p CROSS JOIN LATERAL jsonb_each(coalesce(p.own_blocks, p.blocks)) AS b (id, block)
    WHERE p.environment_id = $1 AND p.blocks IS NOT NULL AND p.entry_id IN ${owners('$2')} AND b.block ->> 'type' = ($2::uuid)::text`;

/** What becomes of the mark of a localized value in blocks, see `renameMarks`: null if it is removed. */
const blockMark = (name: string): string =>
  `CASE WHEN split_part(${name}, '].', 2) = $2::jsonb ->> 'from' AND NOT $2::jsonb ? 'list' THEN CASE WHEN EXISTS (
       SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = $3::uuid
         AND b.id = split_part(split_part(${name}, '].', 1), '[', 2)::uuid)
     THEN split_part(${name}, '].', 1) || '].' || ($2::jsonb ->> 'to') ELSE ${name} END ELSE ${name} END`;

/** What the change $2 makes of localized values of sources, by their marks before it. */
const changedMarks = `SELECT l.entry_id, jsonb_agg(jsonb_build_object('name', o.name, 'old', field_hash(o.value), 'new', field_hash(m.new -> k.name))) AS roots
    FROM entry_locales l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale
      CROSS JOIN LATERAL ${changed('l.fields', 'l.entry_id', 'l.content_type_id')} AS n
      CROSS JOIN LATERAL (SELECT field_marks(l.fields) AS was, field_marks(n.changed) AS new OFFSET 0) AS m
      CROSS JOIN LATERAL jsonb_each(m.was) AS o (name, value) CROSS JOIN LATERAL (SELECT ${blockMark('o.name')} AS name) AS k
    WHERE l.environment_id = $1 AND l.entry_id IN ${owners('$3::uuid')} AND n.changed <> l.fields
      AND k.name IS NOT NULL AND o.value IS DISTINCT FROM m.new -> k.name
    GROUP BY l.entry_id`;

/** Statements that apply the {@link BlockChange} $2 to own blocks of the type $3 in drafts and published documents. */
export const changeBlocks: readonly string[] = [
  ...renewHashes(changedMarks),
  ...renameMarks(blockMark, `'].' || ($2::jsonb ->> 'from')`, owners('$3::uuid')),
  ...changeDrafts({
    entries: `e.id IN ${owners('$3::uuid')}`,
    locales: `l.entry_id IN ${owners('$3::uuid')}`,
  }),
  ...renewNames(owners('$3::uuid')).map((sql) => `${sql} AND $2::jsonb IS NOT NULL`),
  `UPDATE published_entries p SET blocks = (SELECT jsonb_object_agg(id, CASE WHEN block ->> 'type' = $3::uuid::text
       THEN jsonb_set(block, '{fields}', with_value_change(block -> 'fields', $2::jsonb || '{"isLive": true}')) ELSE block END)
     FROM jsonb_each(p.blocks) AS b (id, block))
   WHERE p.environment_id = $1 AND p.blocks IS NOT NULL AND p.entry_id IN ${owners('$3::uuid')}
     AND EXISTS (SELECT FROM jsonb_each(p.blocks) AS b (id, block) WHERE block ->> 'type' = $3::uuid::text
       AND block -> 'fields' ? ($2::jsonb ->> 'from'))`,
];

/** Rows of `table`, of entries of the type $2 or with blocks of it, whose field no longer has the value. */
const leftOver = (table: string, held: string): string =>
  `DELETE FROM ${table} k USING fields f, content_types t
   WHERE k.environment_id = $1 AND f.environment_id = $1 AND f.id = k.field_id AND t.environment_id = $1 AND t.id = f.content_type_id
     AND ($3::uuid IS NULL OR f.id = $3)
     AND k.entry_id IN (SELECT e.id FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2 UNION ${owners('$2')})
     AND NOT EXISTS (${held})`;

const draftHolds = (values: string): string =>
  `FROM value_parts(${inValues(values, 'e.id', 'e.content_type_id')}) AS v WHERE v.type_name = t.api_name
     AND strpos((v.own -> f.api_name)::text, k.target_id::text) > 0`;

/**
 * Drafts of entries of the type $2, or with blocks of it, that have localized values of blocks which their shared lists no
 * longer have: `pruned` is without them.
 */
const prunedDrafts = `SELECT l.tenant_id, l.site_id, l.entry_id, l.locale, l.fields, n.pruned
  FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
    CROSS JOIN LATERAL (SELECT ARRAY(SELECT v.id FROM value_parts(${inValues('e.shared_fields', 'e.id', 'e.content_type_id')}) AS v
      WHERE v.id IS NOT NULL) AS ids OFFSET 0) AS held
    CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(f.key, o.value) FILTER (WHERE o.value IS NOT NULL), '{}') AS pruned
      FROM jsonb_each(l.fields) AS f CROSS JOIN LATERAL (
        SELECT CASE WHEN jsonb_typeof(f.value) = 'object' AND jsonb_typeof(e.shared_fields -> f.key) = 'array'
          THEN (SELECT jsonb_object_agg(b.key, b.value) FROM jsonb_each(f.value) AS b WHERE b.key = ANY (held.ids))
          ELSE f.value END AS value) AS o) AS n
  WHERE l.environment_id = $1 AND $3::uuid IS NULL AND (l.content_type_id = $2 OR l.entry_id IN ${owners('$2')})
    AND n.pruned <> l.fields`;

/** Translations know none of the values that are removed. */
const prunedMarks = `SELECT l.entry_id, jsonb_agg(jsonb_build_object('name', o.name)) AS roots
  FROM (${prunedDrafts}) AS l JOIN sites s ON s.tenant_id = l.tenant_id AND s.id = l.site_id AND s.default_locale = l.locale
    CROSS JOIN LATERAL jsonb_object_keys(field_marks(l.fields)) AS o (name)
  WHERE NOT field_marks(l.pruned) ? o.name GROUP BY l.entry_id`;

/** See `BlockValueRepository.drop`; the type is $2, the field $3. */
export const dropBlocks: readonly string[] = [
  ...renewHashes(prunedMarks),
  `UPDATE entry_locales l SET fields = n.pruned, published_content_hash = CASE
     WHEN l.published_content_hash = l.content_hash THEN md5(l.slug || chr(10) || n.pruned::text) ELSE l.published_content_hash END
   FROM (${prunedDrafts}) AS n WHERE l.environment_id = $1 AND l.entry_id = n.entry_id AND l.locale = n.locale`,
  ...renewNames(`(${ENTRIES_OF_TYPE} UNION ${owners('$2')})`).map((sql) => `${sql} AND $3::uuid IS NULL`),
  `UPDATE published_entries p SET blocks = held_blocks(p.fields, p.blocks)
   WHERE p.environment_id = $1 AND p.blocks IS NOT NULL AND (p.content_type_id = $2 OR p.entry_id IN ${owners('$2')})
     AND $3::uuid IS NULL AND p.blocks IS DISTINCT FROM held_blocks(p.fields, p.blocks)`,
  leftOver(
    'entry_links',
    `SELECT FROM entries e WHERE e.environment_id = $1 AND e.id = k.entry_id AND CASE WHEN k.locale = ''
       THEN EXISTS (SELECT ${draftHolds('e.shared_fields')})
       ELSE EXISTS (SELECT FROM entry_locales l WHERE l.environment_id = $1 AND l.entry_id = e.id AND l.locale = k.locale
         AND EXISTS (SELECT ${draftHolds('l.fields')})) END`,
  ),
  leftOver(
    'published_media',
    `SELECT FROM published_entries p WHERE p.environment_id = $1 AND p.entry_id = k.entry_id AND p.locale = k.locale
       AND (p.content_type_id = t.id AND strpos((p.fields -> f.api_name)::text, k.asset_id::text) > 0
         OR EXISTS (SELECT FROM jsonb_each(p.blocks) AS b (id, block) WHERE block ->> 'type' = t.id::text
           AND strpos((block -> 'fields' -> f.api_name)::text, k.asset_id::text) > 0))`,
  ),
  leftOver(
    'unique_values',
    `SELECT FROM published_entries p WHERE p.environment_id = $1 AND p.entry_id = k.entry_id AND p.locale = k.published_locale
       AND (p.content_type_id = t.id AND md5((p.fields -> f.api_name)::text) = k.value_hash
         OR EXISTS (SELECT FROM jsonb_each(p.blocks) AS b (id, block) WHERE block ->> 'type' = t.id::text
           AND md5((block -> 'fields' -> f.api_name)::text) = k.value_hash))`,
  ),
];
