import { AppError } from '../../../contracts/errors.js';
import type { sites } from '../../../contracts/management/sites.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Site, SiteMeta } from '../../../contracts/resources/site.js';
import { isUuid } from '../../infrastructure/ids.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { authorize } from '../../access/authorize.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { EntryTreeRepository } from '../tree/index.js';
import { assertLocales, assertRequired, assertSlugAllowed } from './site.policy.js';
import { presentSite, siteResult } from './site.presenter.js';
import { SiteRepository, type SiteRow } from './site.repository.js';

type Input = InputOf<typeof sites.update>;

async function assertFits(work: UnitOfWork, before: SiteRow, after: SiteRow): Promise<void> {
  const sites = work.use(SiteRepository);
  if (after.slug !== before.slug) assertSlugAllowed(after.slug);
  assertLocales(await work.use(CatalogRepository).current(), after.locales, after.defaultLocale);
  assertRequired(after.locales, after.requiredLocales);
  const removed = before.locales.filter((code) => !after.locales.includes(code));
  if (removed.length > 0) {
    const used = await sites.usedLocales(before.id);
    const stillUsed = removed.filter((code) => used.includes(code));
    if (stillUsed.length > 0) throw new AppError('locale_in_use', { locales: stillUsed });
  }
  const { homeEntryId } = after;
  const isNewHome = homeEntryId !== null && homeEntryId !== before.homeEntryId;
  if (isNewHome && !(isUuid(homeEntryId) && (await sites.hasEntry(before.id, homeEntryId)))) {
    throw new AppError('entry_not_found', { path: ['homeEntryId'] });
  }
}

/** Paths depend on the locales, on the default locale that others fall back to, and on the home entry. */
const changesPaths = (before: SiteRow, after: SiteRow): boolean =>
  before.defaultLocale !== after.defaultLocale ||
  before.homeEntryId !== after.homeEntryId ||
  !isEqualJson(before.locales, after.locales);

/** Whether prefixes of paths change. */
const changesStyle = (before: SiteRow, after: SiteRow): boolean =>
  before.localePathStrategy !== after.localePathStrategy ||
  (after.localePathStrategy === 'prefix' && before.defaultLocale !== after.defaultLocale);

/** @returns number of redirects created, if prefixes changed */
async function refreshPaths(work: UnitOfWork, before: SiteRow, after: SiteRow): Promise<number | undefined> {
  const tree = work.use(EntryTreeRepository);
  if (changesStyle(before, after)) return tree.restyleSite(after.id, before);
  if (changesPaths(before, after)) await tree.refreshSite(after.id);
  return undefined;
}

/** Normalised to the stored form. */
function normalizeChanges(change: Omit<Input, 'projectSlug' | 'siteSlug'>) {
  const { locales, requiredLocales, homeEntryId, ...rest } = definedKeys(change);
  return {
    ...rest,
    ...(locales !== undefined && { locales: [...new Set(locales)] }),
    ...(requiredLocales !== undefined && { requiredLocales: [...new Set(requiredLocales)] }),
    ...(homeEntryId !== undefined && { homeEntryId: homeEntryId?.toLowerCase() ?? null }),
  };
}

export async function updateSite(work: UnitOfWork, input: Input): Promise<{ data: Site; meta?: SiteMeta }> {
  const { projectSlug: _project, siteSlug, ...change } = input;
  const changes = normalizeChanges(change);
  const sites = work.use(SiteRepository);
  const before = await sites.lock(siteSlug);
  authorize(work, 'sites.update', { siteId: before.id });
  const after: SiteRow = { ...before, ...changes, updatedAt: work.now };
  if (!hasChanges(before, changes)) return { data: presentSite(before) };
  await assertFits(work, before, after);
  await sites.save(before, after);
  const redirectsCreated = await refreshPaths(work, before, after);
  work.emit({ type: 'site.updated', data: { siteId: after.id, slug: after.slug } });
  return siteResult(after, redirectsCreated);
}
