import { listEnvelope, type PageMeta } from '../../../../../contracts/envelopes.js';
import type { media } from '../../../../../contracts/media/media/media.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { MediaReference } from '../../../../../contracts/media/media/media-file.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { AssetRepository } from '../asset.repository.js';
import { AssetReferenceRepository } from './asset-reference.repository.js';

export async function listAssetReferences(
  work: UnitOfWork,
  input: InputOf<typeof media.listReferences>,
): Promise<{ data: MediaReference[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const asset = await work.use(AssetRepository).find(input.id);
  const { limit, page } = input;
  const { items, total } = await work
    .use(AssetReferenceRepository)
    .list(asset.id, { limit, offset: (page - 1) * limit });
  const data = items.map(({ contentTypeId, fieldId, ...use }) => {
    const type = catalog.contentTypeById(contentTypeId);
    const field = catalog.fieldById(fieldId);
    return { ...use, contentTypeApiName: type?.apiName ?? '', fieldApiName: field?.apiName ?? '' };
  });
  return listEnvelope({ items: data, total }, input);
}
