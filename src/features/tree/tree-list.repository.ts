import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { Repository } from '../../persistence/repository.js';
import { readJoin, readNodeColumns, type PlacedNode, type ReadNode } from './stored-node.js';
import type { TreeId } from './tree-lock.repository.js';

/** Which part of a tree to read. */
export interface TreeQuery {
  readonly siteId: TreeId;
  /** Locale of names; null takes each entry's default. */
  readonly locale: string | null;
  /** Levels from the root; null reads all. */
  readonly levels: number | null;
}

/** Whole trees. */
export class TreeListRepository extends Repository {
  /**
   * The nodes of a tree in reading order, each before its children.
   * @throws AppError 422 `limit_reached`
   */
  async list({ siteId, locale, levels }: TreeQuery): Promise<PlacedNode[]> {
    const limit = limits.treeNodesPerAnswer;
    const rows = await this.query<ReadNode & { depth: number; rank: string }>(
      `WITH RECURSIVE branch AS (
         SELECT t.*, 0 AS depth FROM tree_nodes t WHERE t.environment_id = $1 AND t.parent_id IS NULL
           AND t.siblings = coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
         UNION ALL
         SELECT c.*, b.depth + 1 FROM branch b JOIN tree_nodes c ON c.environment_id = $1 AND c.siblings = b.id
         WHERE $4::int IS NULL OR b.depth + 1 < $4)
       SELECT ${readNodeColumns}, n.depth, n.rank FROM (SELECT * FROM branch LIMIT $5) n ${readJoin('$3::text')}`,
      [this.environmentId, siteId, locale, levels, limit + 1],
    );
    if (rows.length > limit)
      throw new AppError(
        'limit_reached',
        { limit },
        'The tree is too large for one answer: ask for less depth.',
      );
    return inReadingOrder(rows);
  }
}

function inReadingOrder(rows: readonly (ReadNode & { depth: number; rank: string })[]): PlacedNode[] {
  const byParent = Map.groupBy(rows, ({ parentId }) => parentId);
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
