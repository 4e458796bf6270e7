import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { sites } from '../../../contracts/management/sites.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { authorize } from '../../access/authorize.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { SiteRepository } from './site.repository.js';

export async function deleteSite(
  work: UnitOfWork,
  input: InputOf<typeof sites.delete>,
): Promise<{ data: Deleted }> {
  const sites = work.use(SiteRepository);
  const site = await sites.lock(input.siteSlug);
  authorize(work, 'sites.delete', { siteId: site.id });
  if (await sites.hasEntries(site.id)) throw new AppError('site_not_empty');
  const workflows = await sites.workflowsNaming(site.id);
  if (workflows.length > 0)
    throw new AppError(
      'site_not_empty',
      { workflows },
      'Workflows name the site. Remove it from them first.',
    );
  await sites.remove(site);
  work.emit({ type: 'site.deleted', data: { siteId: site.id, slug: site.slug } });
  return { data: { id: site.id, deleted: true } };
}
