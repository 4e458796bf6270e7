import { AppError } from '../../../contracts/errors.js';
import type { sites } from '../../../contracts/management/sites.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Site } from '../../../contracts/resources/site.js';
import { isUuid } from '../../infrastructure/ids.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { authorize } from '../../access/authorize.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { EntryTreeRepository } from '../tree/index.js';
import { assertLocales, assertSlugFree } from './site.policy.js';
import { presentSite } from './site.presenter.js';
import { SiteRepository, type SiteRow } from './site.repository.js';

type Input = InputOf<typeof sites.update>;

async function assertFits(work: UnitOfWork, before: SiteRow, after: SiteRow): Promise<void> {
  const sites = work.use(SiteRepository);
  if (after.slug !== before.slug) assertSlugFree(after.slug);
  assertLocales(await work.use(CatalogRepository).current(), after.locales, after.defaultLocale);
  const removed = before.locales.filter((code) => !after.locales.includes(code));
  if (removed.length > 0) {
    const used = await sites.usedLocales(before.id);
    const missed = removed.filter((code) => used.includes(code));
    if (missed.length > 0) throw new AppError('locale_in_use', { locales: missed });
  }
  const { homeEntryId } = after;
  const isNewHome = homeEntryId !== null && homeEntryId !== before.homeEntryId;
  if (isNewHome && !(isUuid(homeEntryId) && (await sites.hasEntry(before.id, homeEntryId)))) {
    throw new AppError('entry_not_found', { path: ['homeEntryId'] });
  }
}

/** Whether the change moves paths: by locale, by the locale that others borrow slugs from, or by the home. */
const hasOtherPaths = (before: SiteRow, after: SiteRow): boolean =>
  before.defaultLocale !== after.defaultLocale ||
  before.homeEntryId !== after.homeEntryId ||
  !isEqualJson(before.locales, after.locales);

/** The keys given, in the one spelling that is stored. */
function givenChanges(change: Omit<Input, 'projectSlug' | 'siteSlug'>) {
  const { locales, homeEntryId, ...rest } = definedKeys(change);
  return {
    ...rest,
    ...(locales !== undefined && { locales: [...new Set(locales)] }),
    ...(homeEntryId !== undefined && { homeEntryId: homeEntryId?.toLowerCase() ?? null }),
  };
}

/** Changes the keys that are given; equal values change nothing. */
export async function updateSite(work: UnitOfWork, input: Input): Promise<{ data: Site }> {
  const { projectSlug: _project, siteSlug, ...change } = input;
  const changes = givenChanges(change);
  const sites = work.use(SiteRepository);
  const before = await sites.lock(siteSlug);
  authorize(work, 'sites.update', { siteId: before.id });
  const after: SiteRow = { ...before, ...changes, updatedAt: work.now };
  if (!hasChanges(before, changes)) return { data: presentSite(before) };
  await assertFits(work, before, after);
  await sites.save(before, after);
  if (hasOtherPaths(before, after)) await work.use(EntryTreeRepository).siteChanged(after.id);
  work.emit({ type: 'site.updated', data: { siteId: after.id, slug: after.slug } });
  return { data: presentSite(after) };
}
