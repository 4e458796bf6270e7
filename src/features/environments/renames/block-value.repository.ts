import { Repository } from '../../../persistence/repositories/repository.js';
import {
  blocksOfType,
  changeBlocks,
  dropBlocks,
  publishedOfType,
  type BlockChange,
} from './block-values-sql.js';

/** Values in own blocks of entries (rule entries/own-blocks), drafts and published documents. */
export class BlockValueRepository extends Repository {
  /** No version is written; what is published and unchanged remains so. The caller allows rewriting. */
  async change(contentTypeId: string, change: Omit<BlockChange, 'type'>): Promise<void> {
    const [type] = await this.query<{ apiName: string }>(
      `SELECT t.api_name AS "apiName" FROM content_types t WHERE t.environment_id = $1 AND t.id = $2
         AND EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = $2)`,
      [this.environmentId, contentTypeId],
    );
    if (type === undefined) return;
    const made: BlockChange = { type: type.apiName, ...change };
    for (const sql of changeBlocks)
      await this.query(sql, [this.environmentId, JSON.stringify(made), contentTypeId]);
  }

  /**
   * After values of a type's fields were removed: published blocks that nothing leads to, and stored links, assets and
   * unique values that no value has.
   * @param fieldId the one field that lost values, unless blocks are removed with them
   */
  async drop(contentTypeId: string, fieldId: string | null = null): Promise<void> {
    for (const sql of dropBlocks) await this.query(sql, [this.environmentId, contentTypeId, fieldId]);
  }

  /** Blocks of a type that drafts or published documents have. */
  async count(contentTypeId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT id FROM (${blocksOfType}) AS b UNION SELECT id FROM (${publishedOfType}) AS p) AS ids`,
      [this.environmentId, contentTypeId],
    );
    return row?.count ?? 0;
  }
}
