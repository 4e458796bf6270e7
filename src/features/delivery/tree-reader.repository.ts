import type { ReadPool } from '../../persistence/connections/read-pool.js';
import type { TreeQuery, TreeRow, TreeSource } from './tree-source.js';
import { treeStatements } from './tree-sql.js';

/** Trees of one environment, by prepared statements. */
export class TreeReader implements TreeSource {
  constructor(
    private readonly pool: ReadPool,
    private readonly environmentId: string,
  ) {}

  tree(query: TreeQuery, isPreview: boolean): Promise<TreeRow[]> {
    const { siteId, locales, start, levels, isMenu, limit, titles } = query;
    const values = [this.environmentId, siteId, locales, levels, isMenu, limit, start.value];
    return isPreview
      ? this.pool.run<TreeRow>(treeStatements.draft[start.at], values)
      : this.pool.run<TreeRow>(treeStatements.live[start.at], [...values, JSON.stringify(titles)]);
  }
}
