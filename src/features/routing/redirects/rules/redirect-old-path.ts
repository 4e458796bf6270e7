import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { SiteDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { AutoRedirectRepository, type PathChange } from './auto-redirect.repository.js';
import { canonicalTarget, isAbsolute } from '../redirect-target.js';
import { formatAddress, parseAddress } from '../redirect-address.js';
import { limits } from '../../../../../contracts/limits.js';
import { assertAllowedTarget, assertNoLoop } from './redirect.policy.js';
import { RedirectRepository } from '../redirect.repository.js';

/**
 * @param key name of the input key
 * @throws AppError 422 `validation_failed`
 */
export function parseTarget(key: string, target: string): string {
  const canonical = canonicalTarget(target);
  if (typeof canonical !== 'string') throw invalidInput({ path: [key], ...canonical });
  if (Buffer.byteLength(canonical) <= limits.redirectPathBytes) return canonical;
  const message = `A target has at most ${limits.redirectPathBytes} bytes.`;
  throw invalidInput({ path: [key], code: 'too_long', message });
}

/**
 * Redirects the path of an unpublished page.
 * @throws AppError 422 for a redirect to itself, `target_not_allowed`, 409 `redirect_conflict` if an active manual redirect exists, 409
 * `redirect_loop`
 */
export async function redirectOldPath(
  work: UnitOfWork,
  site: SiteDefinition,
  { key, locale, from, to }: Omit<PathChange, 'siteId'> & { key: string },
): Promise<void> {
  assertAllowedTarget(site, to, key);
  if (!isAbsolute(to) && formatAddress(parseAddress(to)) === from) {
    const message = 'The page would redirect to its own path.';
    throw invalidInput({ path: [key], code: 'same_as_source', message });
  }
  const id = await work.use(AutoRedirectRepository).redirectPath({ siteId: site.id, locale, from, to });
  if (id === undefined) throw new AppError('redirect_conflict', { path: [key], source: from });
  await assertNoLoop(work, site, await work.use(RedirectRepository).find(id));
}
