import { isBlocksKind, isLinkKind } from '../../shared/field-kind-sql.js';
import { sharedHashes } from '../../shared/published-body.js';

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

/** Names of link and blocks fields by content type, see migration 0079. */
const modelSql = `(SELECT jsonb_object_agg(m.type_name, jsonb_build_object('links', m.links, 'blocks', m.blocks)) FROM (
    SELECT t.api_name AS type_name, jsonb_agg(f.api_name) AS links,
      coalesce(jsonb_agg(f.api_name) FILTER (WHERE ${isBlocksKind('f.type')}), '[]') AS blocks
    FROM content_types t JOIN fields f ON f.environment_id = t.environment_id AND f.content_type_id = t.id
    WHERE t.environment_id = $1 AND ${isLinkKind('f.type')} GROUP BY t.api_name) AS m)`;

const heldSql = (entryId: string): string => `(SELECT jsonb_object_agg(b.id, t.api_name) FROM owned_blocks b
    JOIN content_types t ON t.environment_id = b.environment_id AND t.id = b.content_type_id
    WHERE b.environment_id = $1 AND b.entry_id = ${entryId})`;

const typeNameSql = (contentTypeId: string): string =>
  `(SELECT t.api_name FROM content_types t WHERE t.environment_id = $1 AND t.id = ${contentTypeId})`;

/** Values after the change $2, once for each row. */
const changed = (values: string, entryId: string, contentTypeId: string): string =>
  `(SELECT with_block_change(${values}, ${typeNameSql(contentTypeId)}, ${modelSql}, ${heldSql(entryId)}, $2::jsonb) AS changed OFFSET 0)`;

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

const owners =
  '(SELECT b.entry_id FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = $3::uuid)';

/** Statements that apply the {@link BlockChange} $2 to own blocks of the type $3 in drafts and published documents. */
export const changeBlocks: readonly string[] = [
  ...changeDrafts({ entries: `e.id IN ${owners}`, locales: `l.entry_id IN ${owners}` }),
  `UPDATE published_entries p SET blocks = (SELECT jsonb_object_agg(id, CASE WHEN block ->> 'type' = $3::text
       THEN jsonb_set(block, '{fields}', with_value_change(block -> 'fields', $2::jsonb || '{"isLive": true}')) ELSE block END)
     FROM jsonb_each(p.blocks) AS b (id, block))
   WHERE p.environment_id = $1 AND p.blocks IS NOT NULL AND p.entry_id IN ${owners}
     AND EXISTS (SELECT FROM jsonb_each(p.blocks) AS b (id, block) WHERE block ->> 'type' = $3::text
       AND block -> 'fields' ? ($2::jsonb ->> 'from'))`,
];
