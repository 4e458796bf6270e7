import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaAsset } from '../../../../contracts/resources/media-asset.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { assetLocaleOf } from '../asset-locale.js';
import type { AssetServices } from '../asset-urls.js';
import { AssetRepository } from '../asset.repository.js';
import { showAsset } from './show-asset.js';

export async function getAsset(
  work: UnitOfWork,
  input: InputOf<typeof media.get>,
  { urls }: AssetServices,
): Promise<{ data: MediaAsset }> {
  const catalog = await work.use(CatalogRepository).current();
  const locale = assetLocaleOf(catalog, input.locale);
  const asset = await work.use(AssetRepository).find(input.id);
  return { data: await showAsset(work, asset, { urls, catalog, locale }) };
}
