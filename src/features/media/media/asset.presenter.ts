import type { MediaAsset, MediaAssetLocale } from '../../../../contracts/media/media/media-asset.js';
import type { Catalog } from '../../../content/catalog.js';
import { overlayOf, type OverlayValues, type StoredAsset, type StoredOverlay } from './stored-asset.js';
import type { OutboxEvent, Snapshot } from '../../../persistence/work/unit-of-work.js';
import { AppError } from '../../../../contracts/errors.js';

/** What the URL of a file is made of. */
export interface AssetAddress {
  readonly projectSlug: string;
  readonly id: string;
  readonly checksum: string;
  readonly fileName: string;
}

export interface AssetUrls {
  of(asset: AssetAddress): string;
}

/** What use cases that show assets need. */
export interface AssetServices {
  readonly urls: AssetUrls;
}

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

/** Event about one asset (rule events/webhooks). */
export function assetEvent(
  verb: 'created' | 'updated' | 'deleted' | 'locale_updated',
  { id, fileName, mimeType, checksum, siteIds, version }: StoredAsset,
  more: Snapshot = {},
): OutboxEvent {
  return {
    type: `media.${verb}`,
    data: { assetId: id, siteIds, fileName, mimeType, checksum, version, ...more },
  };
}

/** The tenant's default locale. */
export function defaultLocaleOf(catalog: Catalog): string {
  const locale = catalog.data.locales.find(({ isDefault }) => isDefault);
  if (locale === undefined) throw new Error('Tenant has no default locale');
  return locale.code;
}

/** @throws AppError 404 `locale_not_found` */
export function assetLocaleOf(catalog: Catalog, locale: string | undefined, key = 'locale'): string {
  if (locale === undefined) return defaultLocaleOf(catalog);
  if (catalog.locale(locale) === undefined) throw new AppError('locale_not_found', { path: [key], locale });
  return locale;
}
