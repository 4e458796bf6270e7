import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { Repository } from '../../persistence/repositories/repository.js';

const STEP = 2 ** 32;

/** Moves of both environments can make a cycle; its nodes are never reached from a root. */
const deepSql = `WITH RECURSIVE above AS (
    SELECT id AS start, parent_id, 1 AS depth FROM tree_nodes WHERE environment_id = $1 AND id = ANY ($2::uuid[])
    UNION ALL
    SELECT a.start, n.parent_id, a.depth + 1 FROM above a JOIN tree_nodes n ON n.environment_id = $1 AND n.id = a.parent_id
    WHERE a.depth <= $3)
  SELECT start AS id FROM above GROUP BY start HAVING max(depth) > $3 LIMIT 10`;

/** Each step is computed once: nested, the planner may compute the inner ones for every node. */
const respaceSql = `WITH touched AS MATERIALIZED (
    SELECT DISTINCT siblings FROM tree_nodes WHERE environment_id = $1 AND id = ANY ($2::uuid[])),
  crowded AS MATERIALIZED (
    SELECT n.siblings FROM touched t JOIN tree_nodes n ON n.environment_id = $1 AND n.siblings = t.siblings
    GROUP BY n.siblings HAVING count(*) > count(DISTINCT n.rank)),
  placed AS MATERIALIZED (
    SELECT n.id, row_number() OVER (PARTITION BY n.siblings ORDER BY n.rank, n.id) AS place
    FROM crowded c JOIN tree_nodes n ON n.environment_id = $1 AND n.siblings = c.siblings)
  UPDATE tree_nodes n SET rank = r.place * ${String(STEP)} FROM placed r WHERE n.environment_id = $1 AND n.id = r.id`;

/** Tree nodes that are written by id. Requires the locks of all trees. */
export class NodeRowRepository extends Repository {
  /** Until {@link settleRanks} siblings may have equal ranks. */
  async deferRanks(): Promise<void> {
    await this.query('SET CONSTRAINTS tree_nodes_rank_key DEFERRED');
  }

  /** @throws AppError 409 `tree_cycle` */
  async settleRanks(ids: readonly string[]): Promise<void> {
    await this.query(respaceSql, [this.environmentId, ids]);
    await this.query('SET CONSTRAINTS tree_nodes_rank_key IMMEDIATE');
    const cycles = await this.query<{ id: string }>(deepSql, [this.environmentId, ids, limits.treeDepth]);
    if (cycles.length > 0) throw new AppError('tree_cycle', { nodeIds: cycles.map(({ id }) => id) });
  }

  /** @throws AppError 409 `node_has_children` */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const children = await this.query<{ id: string }>(
      'SELECT id FROM tree_nodes WHERE environment_id = $1 AND parent_id = ANY ($2::uuid[]) AND id <> ALL ($2::uuid[]) LIMIT 10',
      [this.environmentId, ids],
    );
    if (children.length > 0)
      throw new AppError('node_has_children', { nodeIds: children.map(({ id }) => id) });
    await this.query('DELETE FROM tree_nodes WHERE environment_id = $1 AND id = ANY ($2::uuid[])', [
      this.environmentId,
      ids,
    ]);
  }

  /** Existing nodes of these entries. */
  async ofEntries(entryIds: readonly string[]): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      'SELECT id FROM tree_nodes WHERE environment_id = $1 AND entry_id = ANY ($2::uuid[])',
      [this.environmentId, entryIds],
    );
    return rows.map(({ id }) => id);
  }
}
