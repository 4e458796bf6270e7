import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { Repository } from '../../persistence/repositories/repository.js';
import { readJoin, readNodeColumns, type PlacedNode, type ReadNode } from './stored-node.js';
import type { TreeId } from './tree-lock.repository.js';

export interface TreeQuery {
  readonly siteId: TreeId;
  /** Null uses each entry's default locale. */
  readonly locale: string | null;
  readonly levels: number | null;
  /** Start nodes with their depth; null starts at the root. */
  readonly branches: ReadonlyMap<string, number> | null;
}

const fromRoot = `SELECT t.*, 0 AS depth FROM tree_nodes t WHERE t.environment_id = $1 AND t.parent_id IS NULL
  AND t.siblings = coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'::uuid)`;
const fromBranches = `SELECT t.*, b.depth FROM jsonb_to_recordset($6::jsonb) AS b (id uuid, depth int)
  JOIN tree_nodes t ON t.environment_id = $1 AND t.id = b.id AND t.site_id IS NOT DISTINCT FROM $2::uuid
  WHERE $4::int IS NULL OR b.depth < $4`;
const depths = (branches: ReadonlyMap<string, number>): string =>
  JSON.stringify([...branches].map(([id, depth]) => ({ id, depth })));

export class TreeListRepository extends Repository {
  /**
   * Parents before children.
   * @throws AppError 422 `limit_reached`
   */
  async list({ siteId, locale, levels, branches }: TreeQuery): Promise<PlacedNode[]> {
    const limit = limits.treeNodesPerResponse;
    const rows = await this.query<ReadNode & { depth: number; rank: string }>(
      `WITH RECURSIVE branch AS (
         ${branches === null ? fromRoot : fromBranches}
         UNION ALL
         SELECT c.*, b.depth + 1 FROM branch b JOIN tree_nodes c ON c.environment_id = $1 AND c.siblings = b.id
         WHERE $4::int IS NULL OR b.depth + 1 < $4)
       SELECT ${readNodeColumns}, n.depth, n.rank FROM (SELECT * FROM branch LIMIT $5) n ${readJoin('$3::text')}`,
      [
        this.environmentId,
        siteId,
        locale,
        levels,
        limit + 1,
        ...(branches === null ? [] : [depths(branches)]),
      ],
    );
    if (rows.length > limit)
      throw new AppError(
        'limit_reached',
        { limit },
        'The tree is too large for one response. Request less depth.',
      );
    return inReadingOrder(rows);
  }
}

function inReadingOrder(rows: readonly (ReadNode & { depth: number; rank: string })[]): PlacedNode[] {
  const ids = new Set(rows.map(({ id }) => id));
  // The parent of a start node is not visible.
  const byParent = Map.groupBy(rows, ({ parentId }) =>
    parentId !== null && ids.has(parentId) ? parentId : null,
  );
  for (const siblings of byParent.values())
    siblings.sort((a, b) => (BigInt(a.rank) < BigInt(b.rank) ? -1 : 1));
  const ordered: PlacedNode[] = [];
  const visit = (parentId: string | null): void => {
    for (const [position, { rank: _rank, ...node }] of (byParent.get(parentId) ?? []).entries()) {
      ordered.push({ ...node, position });
      visit(node.id);
    }
  };
  visit(null);
  return ordered;
}
