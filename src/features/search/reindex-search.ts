import type { search } from '../../../contracts/management/search.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Reindex } from '../../../contracts/resources/search.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { authorize } from '../../access/authorize.js';
import { CatalogRepository } from '../catalog/index.js';
import { resolveSiteIds, resolveTypeIds } from '../entries/index.js';
import type { SearchServices } from './search-services.js';

/** Decisions 2.22: the index of the database provider follows every write, so that there is nothing to do. */
export async function reindexSearch(
  work: UnitOfWork,
  input: InputOf<typeof search.reindex>,
  { index }: SearchServices,
): Promise<{ data: Reindex }> {
  authorize(work, 'search.update');
  const catalog = await work.use(CatalogRepository).current();
  resolveTypeIds(catalog, input.contentTypes);
  resolveSiteIds(catalog, input.siteIds);
  return { data: { status: 'noop', provider: index.provider } };
}
