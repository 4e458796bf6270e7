import type { MediaAsset, MediaAssetLocale } from '../../../contracts/resources/media-asset.js';
import type { Catalog } from '../../content/catalog.js';
import type { AssetUrls } from './asset-urls.js';
import { overlayOf, type OverlayValues, type StoredAsset, type StoredOverlay } from './stored-asset.js';

/** An asset with its overlays by locale and the number of its uses. */
export interface AssetDetails {
  readonly asset: StoredAsset;
  readonly overlays: Readonly<Record<string, Partial<OverlayValues>>> | null;
  readonly usageCount: number;
}

/** Where an asset is shown. */
export interface AssetPlace {
  readonly urls: AssetUrls;
  readonly catalog: Catalog;
  readonly locale: string;
}

export function presentAsset(
  { asset, overlays, usageCount }: AssetDetails,
  { urls, catalog, locale }: AssetPlace,
): MediaAsset {
  const { id, checksum, fileName } = asset;
  return {
    ...asset,
    tags: [...asset.tags],
    siteIds: [...asset.siteIds],
    metadata: { ...asset.metadata },
    url: urls.of({ projectSlug: catalog.data.project.slug, id, checksum, fileName }),
    locale,
    ...overlayOf(overlays, catalog.localeChain(locale)),
    usageCount,
    createdAt: asset.createdAt.toISOString(),
    updatedAt: asset.updatedAt.toISOString(),
  };
}

/** The override goes with the asset it names. */
export function presentOverlay(overlay: StoredOverlay): MediaAssetLocale {
  const { overrideAssetId, overrideStorageKey, ...values } = overlay;
  return {
    ...values,
    overrideStorageKey: overrideAssetId === null ? null : overrideStorageKey,
    createdAt: overlay.createdAt.toISOString(),
    updatedAt: overlay.updatedAt.toISOString(),
  };
}
