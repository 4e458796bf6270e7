import { Repository } from '../../../../persistence/repositories/repository.js';
import type { StoredAsset, StoredOverlay } from '../stored-asset.js';

const columns = `l.asset_id AS "assetId", l.locale, l.alt_text AS "altText", l.title, l.description,
  l.override_storage_key AS "overrideStorageKey", l.override_asset_id AS "overrideAssetId",
  l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;

export class OverlayRepository extends Repository {
  list(assetId: string): Promise<StoredOverlay[]> {
    return this.query<StoredOverlay>(
      `SELECT ${columns} FROM media_asset_locales l WHERE l.environment_id = $1 AND l.asset_id = $2 ORDER BY l.locale`,
      [this.environmentId, assetId],
    );
  }

  /** Requires the lock of the asset. */
  async find(assetId: string, locale: string): Promise<StoredOverlay | undefined> {
    const [row] = await this.query<StoredOverlay>(
      `SELECT ${columns} FROM media_asset_locales l WHERE l.environment_id = $1 AND l.asset_id = $2 AND l.locale = $3`,
      [this.environmentId, assetId, locale],
    );
    return row;
  }

  async save(after: StoredOverlay): Promise<void> {
    await this.query(
      `INSERT INTO media_asset_locales (tenant_id, environment_id, asset_id, locale, alt_text, title, description,
         override_storage_key, override_asset_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (environment_id, asset_id, locale) DO UPDATE SET alt_text = excluded.alt_text, title = excluded.title,
         description = excluded.description, override_storage_key = excluded.override_storage_key,
         override_asset_id = excluded.override_asset_id, updated_at = excluded.updated_at`,
      [
        this.tenantId,
        this.environmentId,
        after.assetId,
        after.locale,
        after.altText,
        after.title,
        after.description,
        after.overrideStorageKey,
        after.overrideAssetId,
        after.createdAt,
        after.updatedAt,
      ],
    );
  }

  note(asset: StoredAsset, before: StoredOverlay | undefined, after: StoredOverlay): void {
    const { id, fileName: name, siteIds } = asset;
    this.record({
      action: 'media.locale_update',
      target: { type: 'media', id, name },
      before: before === undefined ? null : { ...before },
      after: { ...after },
      siteId: siteIds.length === 1 ? siteIds[0] : null,
      locale: after.locale,
    });
  }
}
