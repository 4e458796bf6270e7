import { withWarnings, type Warned } from '../../../../contracts/envelopes.js';
import type { redirects } from '../../../../contracts/management/redirects.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Redirect } from '../../../../contracts/resources/redirect.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { definedKeys, hasChanges } from '../../shared/index.js';
import { redirectEvent } from './redirect.events.js';
import {
  assertAllowedTarget,
  assertNoLoop,
  assertRoomForPattern,
  assertSiteLocale,
  withParsedPaths,
} from './redirect.policy.js';
import { authorizeRedirect } from './redirect-rights.js';
import { presentRedirect } from './redirect.presenter.js';
import { redirectWarnings } from './redirect-warnings.js';
import { editable, RedirectRepository, type RedirectRow } from '../redirect.repository.js';

/** Equal values change nothing. */
export async function updateRedirect(
  work: UnitOfWork,
  input: InputOf<typeof redirects.update>,
): Promise<Warned<Redirect>> {
  const { projectSlug: _project, id, ...change } = input;
  const given = definedKeys(change);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  const before = await redirects.find(id);
  const locales = [before.locale, ...(given.locale === undefined ? [] : [given.locale])];
  authorizeRedirect(work, { siteId: before.siteId, locales }, 'update');
  const note = given.note === undefined ? before.note : given.note || null;
  const target = given.status === 410 && given.target === undefined ? null : before.target;
  const after: RedirectRow = withParsedPaths({ ...before, target, ...given, note });
  if (!hasChanges(before, editable(after)))
    return withWarnings(presentRedirect(before), redirectWarnings(before));
  const site = (await work.use(CatalogRepository).current()).site(before.siteId);
  if (after.target !== before.target) assertAllowedTarget(site, after.target);
  if (after.locale !== before.locale) assertSiteLocale(site, after.locale);
  if (after.matchType === 'regex' && before.matchType !== 'regex') await assertRoomForPattern(work, after);
  const saved = { ...after, updatedAt: work.now };
  await redirects.save(before, saved);
  await assertNoLoop(work, site, saved);
  work.emit(redirectEvent('updated', saved));
  return withWarnings(presentRedirect(saved), redirectWarnings(saved));
}
