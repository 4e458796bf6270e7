import type { DeliveryMedia } from '../../../../contracts/resources/media-asset.js';
import type { AssetUrls } from '../asset-urls.js';
import { overlayOf } from '../stored-asset.js';
import type { DeliveredAsset } from './media-source.js';

/** Where an asset is delivered. */
interface DeliveryPlace {
  readonly urls: AssetUrls;
  readonly projectSlug: string;
  /** A fallback chain; the first is the requested locale. */
  readonly locales: readonly string[];
}

/** The delivery shape of an asset (decisions 2.13), with the values and the file of its best locales. */
export function deliverAsset(
  asset: DeliveredAsset,
  { urls, projectSlug, locales }: DeliveryPlace,
): DeliveryMedia {
  const file = asset.override ?? asset;
  const { fileName, mimeType, size, width, height, focalPoint, placeholder, dominantColor } = file;
  return {
    id: asset.id,
    ...{ fileName, mimeType, size, width, height },
    url: urls.of({ projectSlug, id: file.id, checksum: file.checksum, fileName }),
    ...{ focalPoint, placeholder, dominantColor },
    locale: locales[0] ?? '',
    ...overlayOf(asset.overlays, locales),
    updatedAt: asset.updatedAt.toISOString(),
  };
}
