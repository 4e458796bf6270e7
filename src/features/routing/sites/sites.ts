import { AppError } from '../../../../contracts/errors.js';
import type { Site, SiteMeta } from '../../../../contracts/routing/sites/site.js';
import type { sites } from '../../../../contracts/routing/sites/sites.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import type { Catalog } from '../../../content/catalog.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { EntryTreeRepository, slugReserved } from '../tree/index.js';
import { SiteRepository, type SiteRow } from './site.repository.js';

/** `tree/global` is not a site. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['global']);

/** @throws AppError 422 `reserved_slug` */
function assertSlugAllowed(slug: string): void {
  if (RESERVED_SLUGS.has(slug)) throw new AppError('reserved_slug', { slug });
}

/** The locales must be active in the tenant and include the default. */
function assertLocales(catalog: Catalog, locales: readonly string[], defaultLocale: string): void {
  const unknown = locales.findIndex((code) => catalog.locale(code)?.isActive !== true);
  if (unknown >= 0)
    throw new AppError('locale_not_found', { path: ['locales', unknown], locale: locales[unknown] });
  if (!locales.includes(defaultLocale))
    throw new AppError('locale_not_found', { path: ['defaultLocale'], locale: defaultLocale });
}

/** @throws AppError 404 `locale_not_found` for a locale that the site does not have */
function assertRequired(locales: readonly string[], required: readonly string[]): void {
  const unknown = required.findIndex((code) => !locales.includes(code));
  if (unknown >= 0)
    throw new AppError('locale_not_found', {
      path: ['requiredLocales', unknown],
      locale: required[unknown],
    });
}

function presentSite(row: SiteRow): Site {
  const { tenantId: _tenant, projectId: _project, createdAt, updatedAt, ...site } = row;
  return { ...site, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

const AMBIGUOUS_PATHS =
  'Without prefixes, a path does not say its locale: pages of several locales can share one, and requests must name the locale.';

/** The site, with what its path style makes ambiguous. */
function siteResult(row: SiteRow, redirectsCreated?: number): { data: Site; meta?: SiteMeta } {
  const isAmbiguous = row.localePathStrategy === 'none' && row.locales.length > 1;
  const warning = {
    path: ['localePathStrategy'],
    code: 'ambiguous_paths' as const,
    message: AMBIGUOUS_PATHS,
  };
  const meta = {
    ...(isAmbiguous && { warnings: [warning] }),
    ...(redirectsCreated !== undefined && { redirectsCreated }),
  };
  return { data: presentSite(row), ...(Object.keys(meta).length > 0 && { meta }) };
}

/** Without `locales`, the site has all of its tenant's. */
export async function createSite(
  work: UnitOfWork,
  input: InputOf<typeof sites.create>,
): Promise<{ data: Site; meta?: SiteMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const known = catalog.data.locales.filter(({ isActive }) => isActive);
  const locales = [...new Set(input.locales ?? known.map(({ code }) => code))];
  const tenantDefault = known.find(({ isDefault }) => isDefault)?.code;
  const usable = tenantDefault !== undefined && locales.includes(tenantDefault) ? tenantDefault : locales[0];
  const defaultLocale = input.defaultLocale ?? usable ?? '';
  assertSlugAllowed(input.slug);
  assertLocales(catalog, locales, defaultLocale);
  const requiredLocales = [...new Set(input.requiredLocales)];
  assertRequired(locales, requiredLocales);
  const id = work.newId();
  // A key limited to sites cannot create another.
  authorize(work, 'sites.create', { siteId: id });
  const site: SiteRow = {
    tenantId: catalog.data.tenant.id,
    projectId: catalog.data.project.id,
    id,
    slug: input.slug,
    name: input.name,
    description: input.description ?? null,
    domain: input.domain ?? null,
    baseUrl: input.baseUrl ?? null,
    defaultLocale,
    locales,
    localePathStrategy: input.localePathStrategy ?? 'none',
    previewUrlTemplate: input.previewUrlTemplate ?? null,
    allowedTargets: input.allowedTargets ?? null,
    requiredLocales,
    homeEntryId: null,
    isActive: input.isActive ?? true,
    createdAt: work.now,
    updatedAt: work.now,
  };
  await work.use(SiteRepository).insert(site);
  work.emit({ type: 'site.created', data: { siteId: site.id, slug: site.slug } });
  return siteResult(site);
}

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

export async function getSite(work: UnitOfWork, input: InputOf<typeof sites.get>): Promise<{ data: Site }> {
  return { data: presentSite(await work.use(SiteRepository).find(input.siteSlug)) };
}

export async function listSites(
  work: UnitOfWork,
  input: InputOf<typeof sites.list>,
): Promise<{ data: Site[]; meta: PageMeta }> {
  const { items, total } = await work.use(SiteRepository).list(input);
  return listEnvelope({ items: items.map(presentSite), total }, input);
}

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

/**
 * Saves the site and refreshes its paths. Those that were reserved before stay.
 * @returns number of redirects created, if prefixes changed
 * @throws AppError 409 `slug_reserved` if a path or a draft would start with a locale prefix
 */
async function saveWithPaths(work: UnitOfWork, before: SiteRow, after: SiteRow): Promise<number | undefined> {
  const tree = work.use(EntryTreeRepository);
  const sites = work.use(SiteRepository);
  if (!changesStyle(before, after) && !changesPaths(before, after)) {
    await sites.save(before, after);
    return undefined;
  }
  const known = new Set((await tree.reservedPaths(after.id)).map(({ of }) => of));
  await sites.save(before, after);
  let redirectsCreated: number | undefined;
  if (changesStyle(before, after)) redirectsCreated = await tree.restyleSite(after.id, before);
  else await tree.refreshSite(after.id);
  const refused = (await tree.reservedPaths(after.id)).find(({ of }) => !known.has(of));
  if (refused !== undefined) throw slugReserved(refused.slug, refused.locale);
  return redirectsCreated;
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
  const redirectsCreated = await saveWithPaths(work, before, after);
  work.emit({ type: 'site.updated', data: { siteId: after.id, slug: after.slug } });
  return siteResult(after, redirectsCreated);
}
