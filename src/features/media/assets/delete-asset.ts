import type { Deleted } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeAsset } from '../asset-rights.js';
import { assetEvent } from '../asset.events.js';
import type { StoredAsset } from '../stored-asset.js';
import { AssetRepository } from '../asset.repository.js';

/**
 * Deletes a locked asset. Its bytes stay for as long as another asset or version has them.
 * @throws AppError 409 `media_in_use`
 */
export async function removeAsset(work: UnitOfWork, asset: StoredAsset, force: boolean): Promise<void> {
  authorizeAsset(work, asset, { action: 'delete' });
  const assets = work.use(AssetRepository);
  if (!force && (await assets.isUsed(asset.id))) throw new AppError('media_in_use');
  await assets.remove(asset);
  work.emit(assetEvent('deleted', asset));
}

export async function deleteAsset(
  work: UnitOfWork,
  { id, force }: InputOf<typeof media.delete>,
): Promise<{ data: Deleted }> {
  const asset = await work.use(AssetRepository).lock(id);
  await removeAsset(work, asset, force);
  return { data: { id: asset.id, deleted: true } };
}
