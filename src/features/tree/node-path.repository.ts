import { Repository } from '../../persistence/repositories/repository.js';

const above = (start: string): string => `WITH RECURSIVE above AS (
     ${start}
     UNION ALL
     SELECT a.key, p.id, p.parent_id FROM above a JOIN tree_nodes p ON p.environment_id = $1 AND p.id = a.parent_id)
   SELECT key, array_agg(id) AS ids FROM above GROUP BY key`;

/** Ancestors of nodes, for permissions that include descendants. */
export class NodePathRepository extends Repository {
  /** Node and ancestors by node id; unknown ids are absent. */
  ofNodes(ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    return this.#paths(
      'SELECT id AS key, id, parent_id FROM tree_nodes WHERE environment_id = $1 AND id = ANY($2::uuid[])',
      ids,
    );
  }

  /** Node and ancestors by entry id; entries outside the trees are absent. */
  ofEntries(ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    return this.#paths(
      'SELECT entry_id AS key, id, parent_id FROM tree_nodes WHERE environment_id = $1 AND entry_id = ANY($2::uuid[])',
      ids,
    );
  }

  async #paths(start: string, ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<{ key: string; ids: string[] }>(above(start), [
      this.environmentId,
      [...ids],
    ]);
    return new Map(rows.map(({ key, ids: path }) => [key, path]));
  }
}
