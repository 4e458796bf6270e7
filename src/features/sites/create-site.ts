import type { sites } from '../../../contracts/management/sites.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Site, SiteMeta } from '../../../contracts/resources/site.js';
import { authorize } from '../../access/authorize.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertLocales, assertRequired, assertSlugAllowed } from './site.policy.js';
import { siteResult } from './site.presenter.js';
import { SiteRepository, type SiteRow } from './site.repository.js';

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
