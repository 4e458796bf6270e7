import type { FocalPoint, DeliveryMedia } from '../../../../../contracts/media/media/media-asset.js';
import { type OverlayValues, overlayOf } from '../stored-asset.js';
import type { AssetUrls } from '../asset.presenter.js';

/** The file that delivery shows. */
interface DeliveredFile {
  readonly id: string;
  readonly checksum: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly focalPoint: FocalPoint | null;
  readonly placeholder: string | null;
  readonly dominantColor: string | null;
}

export interface DeliveredAsset extends DeliveredFile {
  /** Empty: every site. */
  readonly siteIds: readonly string[];
  readonly updatedAt: Date;
  readonly overlays: Readonly<Record<string, Partial<OverlayValues>>> | null;
  /** The file of another asset that an overlay shows instead. */
  readonly override: DeliveredFile | null;
}

/** Source of the assets that delivery and GraphQL show. One statement, whatever the number of ids. */
export interface MediaSource {
  /** @param locales a fallback chain, best first */
  byIds(ids: readonly string[], locales: readonly string[]): Promise<DeliveredAsset[]>;
}

/** Where an asset is delivered. */
interface DeliveryPlace {
  readonly urls: AssetUrls;
  readonly projectSlug: string;
  /** A fallback chain; the first is the requested locale. */
  readonly locales: readonly string[];
}

/** The delivery shape of an asset (rule media/assets), with the values and the file of its best locales. */
export function deliverAsset(
  asset: DeliveredAsset,
  { urls, projectSlug, locales }: DeliveryPlace,
): DeliveryMedia {
  const file = asset.override ?? asset;
  const { fileName, mimeType, size, width, height, focalPoint, placeholder, dominantColor } = file;
  return {
    id: asset.id,
    fileName,
    mimeType,
    size,
    width,
    height,
    url: urls.of({ projectSlug, id: file.id, checksum: file.checksum, fileName }),
    focalPoint,
    placeholder,
    dominantColor,
    locale: locales[0] ?? '',
    ...overlayOf(asset.overlays, locales),
    updatedAt: asset.updatedAt.toISOString(),
  };
}
