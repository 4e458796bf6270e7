import type { FocalPoint } from '../../../../contracts/resources/media-asset.js';
import type { OverlayValues } from '../stored-asset.js';

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
