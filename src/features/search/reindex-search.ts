import type { search } from '../../../contracts/management/search.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Reindex } from '../../../contracts/resources/search.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { authorize } from '../../access/authorize.js';
import { CatalogRepository } from '../catalog/index.js';
import { resolveSiteIds, resolveTypeIds } from '../entries/index.js';
import type { SearchServices } from './search-services.js';

/** Decisions 2.22: the index of the database follows every write, so that there is nothing to do. */
export async function reindexSearch(
  work: UnitOfWork,
  input: InputOf<typeof search.reindex>,
  { index }: SearchServices,
): Promise<{ data: Reindex }> {
  authorize(work, 'search.update');
  const catalog = await work.use(CatalogRepository).current();
  const contentTypeIds = resolveTypeIds(catalog, input.contentTypes);
  const siteIds = resolveSiteIds(catalog, input.siteIds);
  const { provider } = index;
  if (provider === 'database') return { data: { status: 'noop', provider } };
  const { id: jobId } = await index.rebuild(work, { contentTypeIds, siteIds });
  return { data: { jobId, status: 'queued', provider } };
}
