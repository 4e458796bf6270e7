import type { OutboxEvent, Snapshot } from '../../persistence/work/unit-of-work.js';
import type { StoredAsset } from './stored-asset.js';

/** Event about one asset (decisions 2.20). */
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
