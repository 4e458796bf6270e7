import type { MediaFacts } from '../../../content/field-kinds/index.js';
import { Repository } from '../../../persistence/repositories/repository.js';

/** What publishing checks about an asset. */
export interface UsedAsset extends MediaFacts {
  readonly id: string;
  /** Whether its scan permits delivery. */
  readonly isDelivered: boolean;
}

const byIds = {
  name: 'read_media_facts',
  text: `SELECT id, mime_type AS "mimeType", size::float8 AS size, width, height,
      scan_status NOT IN ('pending', 'infected') AS "isDelivered"
    FROM media_assets WHERE environment_id = $1 AND id = ANY($2::uuid[])`,
};

export class MediaFactsRepository extends Repository {
  /** Does nothing without ids. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAsset>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<UsedAsset>(byIds, [this.environmentId, [...new Set(ids)]]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
