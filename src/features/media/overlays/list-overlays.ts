import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaAssetLocale } from '../../../../contracts/resources/media-asset.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentOverlay } from '../asset.presenter.js';
import { AssetRepository } from '../asset.repository.js';
import { OverlayRepository } from './overlay.repository.js';

export async function listOverlays(
  work: UnitOfWork,
  { id }: InputOf<typeof media.listLocales>,
): Promise<{ data: MediaAssetLocale[] }> {
  const asset = await work.use(AssetRepository).find(id);
  const overlays = await work.use(OverlayRepository).list(asset.id);
  return { data: overlays.map(presentOverlay) };
}
