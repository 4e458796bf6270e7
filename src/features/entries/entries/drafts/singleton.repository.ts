import { Repository } from '../../../../persistence/repositories/repository.js';

/** The one entry of a singleton type on a site. */
export class SingletonRepository extends Repository {
  /**
   * Serializes creation per singleton type and site; false if an entry exists.
   * @param exceptId an entry of this unit of work
   */
  async reserve(contentTypeId: string, siteId: string, exceptId?: string): Promise<boolean> {
    const key = `singleton:${this.environmentId}:${contentTypeId}:${siteId}`;
    await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    const rows = await this.query(
      `SELECT 1 FROM entries WHERE environment_id = $1 AND content_type_id = $2 AND site_id = $3 AND deleted_at IS NULL
         AND id IS DISTINCT FROM $4::uuid LIMIT 1`,
      [this.environmentId, contentTypeId, siteId, exceptId ?? null],
    );
    return rows.length === 0;
  }
}
