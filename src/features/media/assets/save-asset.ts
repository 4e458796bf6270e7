import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assetEvent } from '../asset.events.js';
import { AssetRepository } from '../asset.repository.js';
import type { StoredAsset } from '../stored-asset.js';

/** Saves a locked asset as its next version. */
export async function saveAsset(
  work: UnitOfWork,
  before: StoredAsset,
  changes: Partial<StoredAsset>,
): Promise<StoredAsset> {
  const after: StoredAsset = {
    ...before,
    ...changes,
    version: before.version + 1,
    updatedAt: work.now,
    updatedBy: work.scope.actor,
  };
  await work.use(AssetRepository).save(before, after);
  work.emit(assetEvent('updated', after));
  return after;
}
