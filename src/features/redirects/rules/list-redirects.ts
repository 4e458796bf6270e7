import type { ListMeta } from '../../../../contracts/envelopes.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Redirect } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { openPage } from '../../shared/index.js';
import { filterOf } from './redirect-filters.js';
import { readableSiteIds } from './redirect-rights.js';
import { presentRedirect } from './redirect.presenter.js';
import { RedirectRepository } from '../redirect.repository.js';

export async function listRedirects(
  work: UnitOfWork,
  input: InputOf<typeof redirects.list>,
): Promise<{ data: Redirect[]; meta: ListMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const page = openPage(input, { name: 'redirects', scope: work.scope });
  const filter = filterOf(catalog, input, readableSiteIds(work));
  const found = await work.use(RedirectRepository).list(filter, { orderBy: input.orderBy, ...page.window });
  return page.envelope({ ...found, items: found.items.map(presentRedirect) });
}
