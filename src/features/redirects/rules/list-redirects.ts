import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Redirect } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { filterOf } from './redirect-filters.js';
import { readableSiteIds } from './redirect-rights.js';
import { presentRedirect } from './redirect.presenter.js';
import { RedirectRepository } from '../redirect.repository.js';

export async function listRedirects(
  work: UnitOfWork,
  input: InputOf<typeof redirects.list>,
): Promise<{ data: Redirect[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { orderBy, limit, page } = input;
  const { items, total } = await work
    .use(RedirectRepository)
    .list(filterOf(catalog, input, readableSiteIds(work)), { orderBy, limit, offset: (page - 1) * limit });
  return listEnvelope({ items: items.map(presentRedirect), total }, input);
}
