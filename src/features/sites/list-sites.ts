import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { sites } from '../../../contracts/management/sites.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Site } from '../../../contracts/resources/site.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentSite } from './site.presenter.js';
import { SiteRepository } from './site.repository.js';

export async function listSites(
  work: UnitOfWork,
  input: InputOf<typeof sites.list>,
): Promise<{ data: Site[]; meta: PageMeta }> {
  const { items, total } = await work.use(SiteRepository).list(input);
  return listEnvelope({ items: items.map(presentSite), total }, input);
}
