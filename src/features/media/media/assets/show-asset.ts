import type { MediaAsset } from '../../../../../contracts/media/media/media-asset.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { presentAsset, type AssetPlace } from '../asset.presenter.js';
import type { StoredAsset } from '../stored-asset.js';
import { AssetListRepository } from './asset-list.repository.js';

/** Reads overlays and uses as they are in the unit of work. */
export async function showAsset(
  work: UnitOfWork,
  asset: StoredAsset,
  place: AssetPlace,
): Promise<MediaAsset> {
  const chain = place.catalog.localeChain(place.locale);
  const details = await work.use(AssetListRepository).details(asset.id, chain);
  return presentAsset({ asset, ...details }, place);
}
