import { valuePartsSql } from '../../../environments/renames/index.js';

/** `block_id` of issues that are not in a block. */
const NO_BLOCK = '00000000-0000-0000-0000-000000000000';
export const noBlock = `'${NO_BLOCK}'::uuid`;

/**
 * Common table expressions with the own blocks of drafts, after `place` and `owner`. `shared_block` has those of lists
 * that all locales share with their shared values; `local_block` their localized values and, whole, the blocks of
 * localized lists.
 */
export const blocksSql = `holder AS MATERIALIZED (SELECT o.entry_id, o.content_type_id FROM owner o
      WHERE EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.entry_id = o.entry_id)),
    shared_block AS MATERIALIZED (SELECT h.entry_id, v.id::uuid AS id, v.type_name, v.own FROM holder h
      JOIN entries e ON e.environment_id = $1 AND e.id = h.entry_id
      CROSS JOIN LATERAL ${valuePartsSql('e.shared_fields', 'e.id', 'e.content_type_id')} AS v WHERE v.id IS NOT NULL),
    local_block AS MATERIALIZED (SELECT p.entry_id, p.locale, v.id::uuid AS id, v.type_name, v.own, v.is_whole FROM holder h
      JOIN place p ON p.entry_id = h.entry_id
      CROSS JOIN LATERAL ${valuePartsSql('p.fields', 'p.entry_id', 'p.content_type_id')} AS v WHERE v.id IS NOT NULL)`;

/** Joins a link `k` with the blocks `b` whose values have it; `b.id` is null where it is in the entry itself. */
export const linkingBlocks = `LEFT JOIN LATERAL (
      SELECT part.id FROM fields f JOIN content_types t ON t.environment_id = $1 AND t.id = f.content_type_id
        JOIN (SELECT entry_id, '' AS locale, id, type_name, own FROM shared_block
          UNION ALL SELECT entry_id, locale, id, type_name, own FROM local_block) AS part
          ON part.entry_id = k.entry_id AND part.locale = k.locale AND part.type_name = t.api_name
      WHERE f.environment_id = $1 AND f.id = k.field_id
        AND strpos((part.own -> f.api_name)::text, k.target_id::text) > 0) AS b ON true`;
