import { Repository } from '../../../persistence/repositories/repository.js';

export interface ScannedAsset {
  readonly id: string;
  readonly fileName: string;
  readonly storageKey: string;
  readonly checksum: string;
}

interface AssetQuery {
  /** Read whatever their place. */
  readonly known: readonly string[];
  /** The last one of the scan before. */
  readonly after: string;
  readonly limit: number;
}

const columns = 'a.id, a.file_name AS "fileName", a.storage_key AS "storageKey", a.checksum';

/** Assets of the environment. */
export class AssetScanRepository extends Repository {
  /** The known ones, then the next ones in the order of their ids, which starts again at its end. */
  async next({ known, after, limit }: AssetQuery): Promise<ScannedAsset[]> {
    const others = 'FROM media_assets a WHERE a.environment_id = $1 AND a.id <> ALL($2::uuid[])';
    return this.query<ScannedAsset>(
      `(SELECT ${columns} FROM media_assets a WHERE a.environment_id = $1 AND a.id = ANY($2::uuid[]))
       UNION ALL (SELECT * FROM (
         (SELECT ${columns} ${others} AND a.id > $3 ORDER BY a.id LIMIT $4)
         UNION ALL (SELECT ${columns} ${others} AND a.id <= $3 ORDER BY a.id LIMIT $4)) AS turn LIMIT $4)`,
      [this.environmentId, [...known], after, limit],
    );
  }
}
