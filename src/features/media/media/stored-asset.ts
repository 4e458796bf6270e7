import type { Warning } from '../../../../contracts/envelopes.js';
import type { FocalPoint, MediaAsset, Visibility } from '../../../../contracts/media/media/media-asset.js';
import type { WorkActor } from '../../../persistence/work/unit-of-work.js';

/** What inspection finds in a file. */
export interface StoredFile {
  readonly checksum: string;
  readonly sourceChecksum: string;
  readonly storageKey: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly hasAlpha: boolean | null;
  readonly frames: number | null;
  readonly pages: number | null;
  readonly durationSeconds: number | null;
  readonly codec: string | null;
  readonly placeholder: string | null;
  readonly dominantColor: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly scanStatus: MediaAsset['scanStatus'];
}

/** A file that has just been received. */
export interface ReceivedStoredFile extends StoredFile {
  readonly warnings: readonly Warning[];
}

export interface StoredAsset extends StoredFile {
  readonly id: string;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  /** Empty: every site. */
  readonly siteIds: readonly string[];
  readonly visibility: Visibility;
  readonly focalPoint: FocalPoint | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: WorkActor;
  readonly updatedAt: Date;
  readonly updatedBy: WorkActor;
}

/** The own values of one locale. */
export interface StoredOverlay {
  readonly assetId: string;
  readonly locale: string;
  readonly altText: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly overrideStorageKey: string | null;
  readonly overrideAssetId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type OverlayValues = Pick<StoredOverlay, 'altText' | 'title' | 'description'>;

/** Values of the best locale of a chain, value by value (rule media/overlays). */
export function overlayOf(
  overlays: Readonly<Record<string, Partial<OverlayValues>>> | null,
  locales: readonly string[],
): OverlayValues {
  const first = (key: keyof OverlayValues): string | null =>
    locales.map((locale) => overlays?.[locale]?.[key] ?? null).find((value) => value !== null) ?? null;
  return { altText: first('altText'), title: first('title'), description: first('description') };
}
