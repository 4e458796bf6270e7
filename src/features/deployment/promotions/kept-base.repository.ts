import { Repository } from '../../../persistence/repositories/repository.js';
import type { Follower } from './node-row.repository.js';
import type { ItemKey } from './item-kinds.js';
import { keptRows as kept } from './kept-rows.js';
import type { EnvironmentPair } from './pair.repository.js';

const baseColumns =
  'tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, rename_number, status, number';

/** The bases that a promotion replaced. */
export class KeptBaseRepository extends Repository {
  /** From which comparisons of these items started so far. */
  async keep(
    promotionId: string,
    {
      pair: { source, target },
      number,
      items,
      followers,
    }: {
      pair: EnvironmentPair;
      number: number;
      items: readonly ItemKey[];
      followers: readonly Follower[];
    },
  ): Promise<void> {
    const kept = [
      ...items.map(({ kind, id }) => ({ kind, id, environmentId: source.id, follows: false })),
      ...followers.map((one) => ({ ...one, follows: true })),
    ];
    await this.query(
      `INSERT INTO promoted_rows (tenant_id, promotion_id, table_name, key, before)
       SELECT $1, $2, 'environment_bases', jsonb_build_object('low_id', least(i."environmentId", $3), 'high_id', greatest(i."environmentId", $3),
           'kind', i.kind, 'item_id', i.id, 'number', $5::bigint, 'follows', i.follows),
         (SELECT json_agg(b) FROM environment_bases b WHERE b.low_id = least(i."environmentId", $3)
            AND b.high_id = greatest(i."environmentId", $3) AND b.kind = i.kind AND b.item_id = i.id)
       FROM jsonb_to_recordset($4::jsonb) AS i (kind text, id uuid, "environmentId" uuid, follows boolean)`,
      [this.tenantId, promotionId, target.id, JSON.stringify(kept), number],
    );
  }

  /** Common states with third environments stay if they became later since. */
  async restore(promotionId: string): Promise<void> {
    const bind = [this.tenantId, promotionId];
    const own = `b.low_id = (p.key ->> 'low_id')::uuid AND b.high_id = (p.key ->> 'high_id')::uuid AND b.kind = p.key ->> 'kind'
      AND b.item_id = (p.key ->> 'item_id')::uuid`;
    await this.query(
      `DELETE FROM environment_bases b USING promoted_rows p WHERE ${kept} AND p.table_name = 'environment_bases' AND ${own}
         AND NOT ((p.key ->> 'follows')::boolean AND EXISTS (SELECT FROM environment_bases l WHERE l.low_id = b.low_id
           AND l.high_id = b.high_id AND l.kind = b.kind AND l.item_id = b.item_id AND l.number > (p.key ->> 'number')::bigint))`,
      bind,
    );
    await this.query(
      `INSERT INTO environment_bases (${baseColumns}) SELECT ${baseColumns} FROM (
         SELECT r.* FROM promoted_rows p CROSS JOIN LATERAL json_populate_recordset(NULL::environment_bases, p.before) AS r
         WHERE ${kept} AND p.table_name = 'environment_bases' AND p.before IS NOT NULL
           AND NOT EXISTS (SELECT FROM environment_bases b WHERE ${own})) AS b
       WHERE (SELECT count(*) FROM environments e WHERE e.tenant_id = $1 AND e.id IN (b.low_id, b.high_id)) = 2`,
      bind,
    );
  }
}
