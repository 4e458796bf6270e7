import type { StatementReader } from '../../../../persistence/connections/read-pool.js';
import type { DeliveredAsset, MediaSource } from './deliver-asset.js';

const focalPoint = (alias: string): string =>
  `CASE WHEN ${alias}.focal_point_x IS NOT NULL THEN jsonb_build_object('x', ${alias}.focal_point_x, 'y', ${alias}.focal_point_y) END`;

/** These show what a picture looks like, so those of private files do not leave the database (rule media/assets). */
const look = (alias: string, column: 'placeholder' | 'dominant_color'): string =>
  `CASE WHEN ${alias}.visibility = 'public' THEN ${alias}.${column} END`;

const byIds = {
  name: 'media_by_ids',
  text: `SELECT a.id, a.checksum, a.file_name AS "fileName", a.mime_type AS "mimeType", a.size::float8 AS size, a.width, a.height,
      ${focalPoint('a')} AS "focalPoint", ${look('a', 'placeholder')} AS placeholder,
      ${look('a', 'dominant_color')} AS "dominantColor", a.site_ids::text[] AS "siteIds",
      a.updated_at AS "updatedAt",
      (SELECT jsonb_object_agg(l.locale, jsonb_build_object(
          'altText', l.alt_text, 'title', l.title, 'description', l.description))
        FROM media_asset_locales l
        WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.locale = ANY($3::text[])) AS overlays,
      (SELECT jsonb_build_object('id', o.id, 'checksum', o.checksum, 'fileName', o.file_name, 'mimeType', o.mime_type,
          'size', o.size, 'width', o.width, 'height', o.height, 'focalPoint', ${focalPoint('o')},
          'placeholder', ${look('o', 'placeholder')}, 'dominantColor', ${look('o', 'dominant_color')})
        FROM media_asset_locales l
          JOIN media_assets o ON o.environment_id = l.environment_id AND o.id = l.override_asset_id
        WHERE l.environment_id = a.environment_id AND l.asset_id = a.id AND l.locale = ANY($3::text[])
        ORDER BY array_position($3::text[], l.locale) LIMIT 1) AS override
    FROM media_assets a WHERE a.environment_id = $1 AND a.id = ANY($2::uuid[])`,
};

/** Assets of one environment. The reader's role does not see those whose scan did not pass. */
export class MediaReader implements MediaSource {
  constructor(
    private readonly pool: StatementReader,
    private readonly environmentId: string,
  ) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<DeliveredAsset[]> {
    if (ids.length === 0) return [];
    return this.pool.run<DeliveredAsset>(byIds, [this.environmentId, [...new Set(ids)], locales]);
  }
}
