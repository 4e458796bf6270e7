import type { sites } from '../../../contracts/management/sites.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Site } from '../../../contracts/resources/site.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { presentSite } from './site.presenter.js';
import { SiteRepository } from './site.repository.js';

export async function getSite(work: UnitOfWork, input: InputOf<typeof sites.get>): Promise<{ data: Site }> {
  return { data: presentSite(await work.use(SiteRepository).find(input.siteSlug)) };
}
