import type { ListMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { media } from '../../../../contracts/management/media.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { MediaAsset } from '../../../../contracts/resources/media-asset.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { openPage } from '../../shared/index.js';
import { applyView } from '../../views/index.js';
import { assetLocaleOf } from '../asset-locale.js';
import { presentAsset } from '../asset.presenter.js';
import type { AssetServices } from '../asset-urls.js';
import { FolderRepository } from '../folders/folder.repository.js';
import type { AssetFilter } from './asset-filter-sql.js';
import { AssetListRepository } from './asset-list.repository.js';

type Input = InputOf<typeof media.list>;

/** @throws AppError 404 `site_not_found`, `locale_not_found` */
function filterOf(catalog: Catalog, input: Input): AssetFilter {
  const { missingAltText: without } = input;
  const siteIds = input.siteId?.map((id) => {
    const site = catalog.site(id.toLowerCase());
    if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
    return site.id;
  });
  return {
    folderId: input.folderId?.toLowerCase() ?? null,
    mimeType: input.mimeType ?? null,
    tags: input.tag ?? null,
    siteIds: siteIds ?? null,
    missingAltText: without === undefined ? null : assetLocaleOf(catalog, without, 'missingAltText'),
    sourceChecksums: input.sourceChecksum ?? null,
    isUnused: input.unused ?? null,
    contains: input.q ?? null,
  };
}

export async function listAssets(
  work: UnitOfWork,
  given: Input,
  { urls }: AssetServices,
): Promise<{ data: MediaAsset[]; meta: ListMeta }> {
  const input = await applyView(work, 'media', given);
  const catalog = await work.use(CatalogRepository).current();
  const locale = assetLocaleOf(catalog, input.locale);
  const filter = filterOf(catalog, input);
  if (filter.folderId !== null) await work.use(FolderRepository).find(filter.folderId, ['folderId']);
  const page = openPage(input, { name: 'media', scope: work.scope });
  const { orderBy = 'updatedAt:desc' } = input;
  const found = await work
    .use(AssetListRepository)
    .list(filter, { orderBy, ...page.window, locales: catalog.localeChain(locale) });
  const items = found.items.map((details) => presentAsset(details, { urls, catalog, locale }));
  return page.envelope({ ...found, items });
}
