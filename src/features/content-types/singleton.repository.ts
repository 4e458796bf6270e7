import { Repository } from '../../persistence/repositories/repository.js';

/** Counts entries of types that may have one per site only. */
export class SingletonRepository extends Repository {
  /** Whether some site has more than one entry of the type. */
  async isRepeated(contentTypeId: string): Promise<boolean> {
    const rows = await this.query(
      `SELECT 1 FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND deleted_at IS NULL
       GROUP BY site_id HAVING count(*) > 1 LIMIT 1`,
      [this.environmentId, contentTypeId],
    );
    return rows.length > 0;
  }
}
