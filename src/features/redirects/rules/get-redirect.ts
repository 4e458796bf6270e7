import { AppError } from '../../../../contracts/errors.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Redirect } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { RedirectRepository } from '../redirect.repository.js';
import { readableSiteIds } from './redirect-rights.js';
import { presentRedirect } from './redirect.presenter.js';

export async function getRedirect(
  work: UnitOfWork,
  { id }: InputOf<typeof redirects.get>,
): Promise<{ data: Redirect }> {
  const redirect = await work.use(RedirectRepository).find(id);
  const siteIds = readableSiteIds(work);
  if (siteIds !== null && !siteIds.includes(redirect.siteId)) throw new AppError('redirect_not_found');
  return { data: presentRedirect(redirect) };
}
