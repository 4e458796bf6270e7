import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { localesOf } from '../../../features/delivery/index.js';

/** A site and the fallback chain to read it in. */
export interface SiteLocales {
  readonly site: SiteDefinition;
  readonly locales: readonly string[];
}

/**
 * The site of an argument with the chain of a locale, its default one where none is given.
 * @throws AppError `site_not_found`, `locale_not_found`
 */
export function siteLocales(
  catalog: Catalog,
  siteSlug: string,
  locale: string | null | undefined,
): SiteLocales {
  const site = catalog.siteBySlug(siteSlug);
  if (site === undefined) throw new AppError('site_not_found');
  return { site, locales: localesOf(catalog, site, locale ?? undefined) };
}

/**
 * The chain for reads across all sites: that of the locale, or of the tenant's default one.
 * @throws AppError `locale_not_found`
 */
export function tenantLocales(catalog: Catalog, locale: string | null | undefined): readonly string[] {
  const code = locale ?? catalog.data.locales.find(({ isDefault }) => isDefault)?.code ?? '';
  if (catalog.locale(code)?.isActive !== true) throw new AppError('locale_not_found');
  return catalog.localeChain(code);
}

/** The chain of a site's default locale; empty where the site does not serve it at present. */
export function defaultLocales(catalog: Catalog, site: SiteDefinition): readonly string[] {
  const isServed =
    site.locales.includes(site.defaultLocale) && catalog.locale(site.defaultLocale)?.isActive === true;
  return isServed ? localesOf(catalog, site, undefined) : [];
}

/** Every locale that is in some site's default chain: in one of them an entry of whatever site is found. */
export function anyDefaultLocale(catalog: Catalog): readonly string[] {
  return [...new Set(catalog.data.sites.flatMap((site) => defaultLocales(catalog, site)))];
}
