import { Repository } from '../../../persistence/repositories/repository.js';

/** Which objects of the storage the tenant's assets and their former files name. */
export class StoredFileRepository extends Repository {
  /** Those of `keys` that a row names, or one that a rollback can put back. */
  async named(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.query<{ key: string }>(
      `SELECT key FROM unnest($1::text[]) AS given (key)
        WHERE EXISTS (SELECT FROM media_assets a WHERE a.storage_key = key)
          OR EXISTS (SELECT FROM media_asset_versions v WHERE v.storage_key = key)
          OR EXISTS (SELECT FROM promoted_rows p WHERE p.table_name IN ('media_assets', 'media_asset_versions')
            AND p.before ->> 'storage_key' = given.key)`,
      [keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** The next keys in order, each once. */
  async keysAfter(after: string, limit: number): Promise<string[]> {
    const rows = await this.query<{ key: string }>(
      `SELECT key FROM (
          (SELECT DISTINCT storage_key AS key FROM media_assets WHERE storage_key > $1 ORDER BY 1 LIMIT $2)
          UNION
          (SELECT DISTINCT storage_key FROM media_asset_versions WHERE storage_key > $1 ORDER BY 1 LIMIT $2)
        ) AS keys ORDER BY key LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ key }) => key);
  }
}
