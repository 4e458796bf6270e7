import { AppError } from '../../../contracts/errors.js';
import type { Catalog, SiteDefinition } from '../../content/catalog.js';

const isServed = (catalog: Catalog, site: SiteDefinition, code: string): boolean =>
  site.locales.includes(code) && catalog.locale(code)?.isActive === true;

const chainOf = (catalog: Catalog, site: SiteDefinition, code: string): readonly string[] =>
  catalog.localeChain(code).filter((fallback) => fallback === code || site.locales.includes(fallback));

/**
 * The fallback chain of a locale on a site, which defaults to the site's default locale.
 * @throws AppError 404 `locale_not_found`
 */
export function localesOf(
  catalog: Catalog,
  site: SiteDefinition,
  locale: string | undefined,
): readonly string[] {
  const code = locale ?? site.defaultLocale;
  if (!isServed(catalog, site, code)) throw new AppError('locale_not_found');
  return chainOf(catalog, site, code);
}

/**
 * The fallback chain of a locale across all sites, which defaults to the tenant's default locale.
 * @throws AppError 404 `locale_not_found`
 */
export function tenantLocalesOf(catalog: Catalog, locale: string | undefined): readonly string[] {
  const code = locale ?? catalog.data.locales.find(({ isDefault }) => isDefault)?.code ?? '';
  if (catalog.locale(code)?.isActive !== true) throw new AppError('locale_not_found');
  return catalog.localeChain(code);
}

/** The chain of a site's default locale; empty if the site does not serve that locale. */
export function defaultLocalesOf(catalog: Catalog, site: SiteDefinition): readonly string[] {
  const { defaultLocale } = site;
  return isServed(catalog, site, defaultLocale) ? chainOf(catalog, site, defaultLocale) : [];
}

/** Locales of all default chains: an entry of any site exists in one of them, if in its own default chain. */
export function allDefaultLocales(catalog: Catalog): readonly string[] {
  return [...new Set(catalog.data.sites.flatMap((site) => defaultLocalesOf(catalog, site)))];
}
