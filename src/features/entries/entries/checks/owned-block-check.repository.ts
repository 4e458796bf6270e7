import { Repository } from '../../../../persistence/repositories/repository.js';
import { blocksOfEntries } from '../../../environments/renames/index.js';

interface OwnedBlockDifference {
  readonly of: string;
  readonly problem: string;
}

/** Blocks of drafts and published documents: `id` as text, `entry_id`, `content_type_id`, `is_draft`. */
const held = `SELECT DISTINCT b.id, b.entry_id, t.id AS content_type_id, true AS is_draft
    FROM (${blocksOfEntries}) AS b JOIN content_types t ON t.environment_id = $1 AND t.api_name = b.type_name
    WHERE b.is_whole
  UNION SELECT b.id, p.entry_id, t.id, false FROM published_entries p CROSS JOIN LATERAL jsonb_each(p.blocks) AS b (id, block)
    JOIN content_types t ON t.environment_id = $1 AND t.id::text = b.block ->> 'type'
    WHERE p.environment_id = $1 AND p.blocks IS NOT NULL`;

/**
 * Compares the table of own blocks with the drafts and published documents. It may have former blocks, too; and a document may
 * still show a block that its entry has given to a shared one, or that is an entry now.
 */
export class OwnedBlockCheckRepository extends Repository {
  async differences(limit: number): Promise<OwnedBlockDifference[]> {
    await this.allowTime(600);
    return this.query<OwnedBlockDifference>(
      `WITH held AS MATERIALIZED (${held})
       SELECT DISTINCT 'block ' || h.id || ' of ' || h.entry_id AS "of",
         CASE WHEN o.id IS NULL THEN 'has no owner' WHEN o.entry_id <> h.entry_id THEN 'belongs to ' || o.entry_id
           ELSE 'has another type' END AS problem
       FROM held h LEFT JOIN owned_blocks o ON o.environment_id = $1 AND o.id::text = h.id
       WHERE (o.entry_id, o.content_type_id) IS DISTINCT FROM (h.entry_id, h.content_type_id)
         AND (h.is_draft OR NOT EXISTS (SELECT FROM held k
           WHERE k.id = h.id AND k.entry_id = o.entry_id AND k.content_type_id = o.content_type_id
           UNION ALL SELECT FROM entries e WHERE e.environment_id = $1 AND e.id = o.id))
       ORDER BY 1 LIMIT $2`,
      [this.environmentId, limit],
    );
  }

  /** Adds missing rows, and moves those whose entry does not have the block to the one that has. */
  async repair(): Promise<void> {
    await this.allowTime(600);
    await this.query(
      `DELETE FROM owned_blocks o USING (${held}) AS h WHERE o.environment_id = $1 AND o.id::text = h.id
         AND (o.entry_id, o.content_type_id) IS DISTINCT FROM (h.entry_id, h.content_type_id)
         AND NOT EXISTS (SELECT FROM (${held}) AS k
           WHERE k.id = o.id::text AND k.entry_id = o.entry_id AND k.content_type_id = o.content_type_id)`,
      [this.environmentId],
    );
    await this.query(
      `INSERT INTO owned_blocks (tenant_id, environment_id, id, entry_id, content_type_id)
       SELECT DISTINCT ON (h.id) $2::uuid, $1::uuid, h.id::uuid, h.entry_id, h.content_type_id FROM (${held}) AS h
       WHERE h.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' ORDER BY h.id, h.is_draft DESC, h.entry_id ON CONFLICT DO NOTHING`,
      [this.environmentId, this.tenantId],
    );
  }
}
