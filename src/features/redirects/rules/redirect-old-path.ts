import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { SiteDefinition } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { AutoRedirectRepository, type PathChange } from './auto-redirect.repository.js';
import { canonicalPath } from '../redirect-path.js';
import { assertNoLoop } from './redirect.policy.js';
import { RedirectRepository } from '../redirect.repository.js';

/**
 * @param key name of the input key
 * @throws AppError 422 `validation_failed`
 */
export function parseTarget(key: string, target: string): string {
  const path = canonicalPath(target);
  if (typeof path === 'string') return path;
  throw invalidInput({ path: [key], ...path });
}

/**
 * Redirects the path of an unpublished page.
 * @throws AppError 422 for a redirect to itself, 409 `redirect_conflict` if an active manual redirect exists, 409
 * `redirect_loop`
 */
export async function redirectOldPath(
  work: UnitOfWork,
  site: SiteDefinition,
  { key, locale, from, to }: Omit<PathChange, 'siteId'> & { key: string },
): Promise<void> {
  if (from === to) {
    const message = 'The page would redirect to its own path.';
    throw invalidInput({ path: [key], code: 'same_as_source', message });
  }
  const id = await work.use(AutoRedirectRepository).redirectPath({ siteId: site.id, locale, from, to });
  if (id === undefined) throw new AppError('redirect_conflict', { path: [key], source: from });
  await assertNoLoop(work, site, await work.use(RedirectRepository).find(id));
}
