import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import type { Site, SiteMeta } from '../../../../contracts/routing/sites/site.js';
import type { SiteRow } from './site.repository.js';

/** `tree/global` is not a site. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(['global']);

/** @throws AppError 422 `reserved_slug` */
export function assertSlugAllowed(slug: string): void {
  if (RESERVED_SLUGS.has(slug)) throw new AppError('reserved_slug', { slug });
}

/** The locales must be active in the tenant and include the default. */
export function assertLocales(catalog: Catalog, locales: readonly string[], defaultLocale: string): void {
  const unknown = locales.findIndex((code) => catalog.locale(code)?.isActive !== true);
  if (unknown >= 0)
    throw new AppError('locale_not_found', { path: ['locales', unknown], locale: locales[unknown] });
  if (!locales.includes(defaultLocale))
    throw new AppError('locale_not_found', { path: ['defaultLocale'], locale: defaultLocale });
}

/** @throws AppError 404 `locale_not_found` for a locale that the site does not have */
export function assertRequired(locales: readonly string[], required: readonly string[]): void {
  const unknown = required.findIndex((code) => !locales.includes(code));
  if (unknown >= 0)
    throw new AppError('locale_not_found', {
      path: ['requiredLocales', unknown],
      locale: required[unknown],
    });
}

export function presentSite(row: SiteRow): Site {
  const { tenantId: _tenant, projectId: _project, createdAt, updatedAt, ...site } = row;
  return { ...site, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

const AMBIGUOUS_PATHS =
  'Without prefixes, a path does not say its locale: pages of several locales can share one, and requests must name the locale.';

/** The site, with what its path style makes ambiguous. */
export function siteResult(row: SiteRow, redirectsCreated?: number): { data: Site; meta?: SiteMeta } {
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
