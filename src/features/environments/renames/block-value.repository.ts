import { Repository } from '../../../persistence/repositories/repository.js';
import { changeBlocks, type BlockChange } from './block-values-sql.js';

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
}
