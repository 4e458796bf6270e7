import type { Page } from '../../../../../contracts/envelopes.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import type { WorkActor } from '../../../../persistence/work/unit-of-work.js';
import type { StoredFile } from '../stored-asset.js';

/** A file by the version of the asset that brought it. */
export interface StoredVersion {
  readonly version: number;
  readonly file: StoredFile;
  readonly createdAt: Date;
  readonly createdBy: WorkActor;
}

const columns = 'version, file, created_at AS "createdAt", created_by AS "createdBy"';

export class AssetVersionRepository extends Repository {
  async list(
    assetId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Page<StoredVersion>> {
    const [items, [count]] = await Promise.all([
      this.query<StoredVersion>(
        `SELECT ${columns} FROM media_asset_versions WHERE environment_id = $1 AND asset_id = $2
         ORDER BY version DESC LIMIT $3 OFFSET $4`,
        [this.environmentId, assetId, limit, offset],
      ),
      this.query<{ total: number }>(
        'SELECT count(*)::int AS total FROM media_asset_versions WHERE environment_id = $1 AND asset_id = $2',
        [this.environmentId, assetId],
      ),
    ]);
    return { items, total: count?.total ?? 0 };
  }

  async find(assetId: string, version: number): Promise<StoredVersion | undefined> {
    const [row] = await this.query<StoredVersion>(
      `SELECT ${columns} FROM media_asset_versions WHERE environment_id = $1 AND asset_id = $2 AND version = $3`,
      [this.environmentId, assetId, version],
    );
    return row;
  }

  /** The version that brought the current file. */
  async current(assetId: string): Promise<number> {
    const [row] = await this.query<{ version: number }>(
      'SELECT max(version) AS version FROM media_asset_versions WHERE environment_id = $1 AND asset_id = $2',
      [this.environmentId, assetId],
    );
    return row?.version ?? 0;
  }
}
