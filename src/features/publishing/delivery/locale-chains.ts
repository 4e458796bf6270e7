import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';

const isServed = (catalog: Catalog, site: SiteDefinition, code: string): boolean =>
  site.locales.includes(code) && catalog.locale(code)?.isActive === true;

/** The fallback chain of a locale that the site serves. */
export const chainOf = (catalog: Catalog, site: SiteDefinition, code: string): readonly string[] =>
  catalog.localeChain(code).filter((fallback) => fallback === code || site.locales.includes(fallback));

/** Locales in which the caller reads a site. */
export const servedLocales = (catalog: Catalog, site: SiteDefinition): readonly string[] =>
  site.locales.filter(
    (code) => isServed(catalog, site, code) && site.previewLocales?.includes(code) !== false,
  );

/**
 * The fallback chain of a locale on a site, which defaults to the site's default locale.
 * @throws AppError 404 `locale_not_found`, 403 `invalid_preview_token` outside the locales of a preview session
 */
export function localesOf(
  catalog: Catalog,
  site: SiteDefinition,
  locale: string | undefined,
): readonly string[] {
  const code = locale ?? site.defaultLocale;
  if (site.previewLocales?.includes(code) === false) throw new AppError('invalid_preview_token');
  if (!isServed(catalog, site, code)) throw new AppError('locale_not_found');
  return chainOf(catalog, site, code);
}

/**
 * The fallback chain of a locale across all sites.
 * @throws AppError 404 `locale_not_found`
 */
export function tenantLocalesOf(catalog: Catalog, locale: string): readonly string[] {
  if (catalog.locale(locale)?.isActive !== true) throw new AppError('locale_not_found');
  return catalog.localeChain(locale);
}

/** The chain of a site's default locale; empty if the site does not serve that locale. */
export function defaultLocalesOf(catalog: Catalog, site: SiteDefinition): readonly string[] {
  const { defaultLocale } = site;
  return isServed(catalog, site, defaultLocale) ? chainOf(catalog, site, defaultLocale) : [];
}

/** The locales in which entries of all sites are read. */
export interface EverySiteLocales {
  /** One chain for every site, or the locales of all chains in `siteLocales`. */
  readonly locales: readonly string[];
  /** Chains by site id, if they differ. */
  readonly siteLocales?: Readonly<Record<string, readonly string[]>>;
}

const everySite = new WeakMap<Catalog, EverySiteLocales>();

/** The chain of each site's default locale, for its own entries (rule graphql/reads). */
export function everySiteLocales(catalog: Catalog): EverySiteLocales {
  const known = everySite.get(catalog);
  if (known !== undefined) return known;
  const chains = catalog.data.sites.map((site) => [site.id, defaultLocalesOf(catalog, site)] as const);
  // Without chains by site, entries of sites outside the catalog would be read, too.
  const isOne = !catalog.isPartial && new Set(chains.map(([, chain]) => chain.join(' '))).size < 2;
  const locales = allDefaultLocales(catalog);
  const found = isOne ? { locales } : { locales, siteLocales: Object.fromEntries(chains) };
  everySite.set(catalog, found);
  return found;
}

/**
 * One chain on every site of the catalog.
 * @throws AppError 404 `locale_not_found`
 */
export function everySiteIn(catalog: Catalog, locale: string): EverySiteLocales {
  const locales = tenantLocalesOf(catalog, locale);
  if (!catalog.isPartial) return { locales };
  return { locales, siteLocales: Object.fromEntries(catalog.data.sites.map(({ id }) => [id, locales])) };
}

/** Locales of all default chains: an entry of any site exists in one of them, if in its own default chain. */
export function allDefaultLocales(catalog: Catalog): readonly string[] {
  return [...new Set(catalog.data.sites.flatMap((site) => defaultLocalesOf(catalog, site)))];
}
