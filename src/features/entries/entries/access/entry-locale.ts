import { AppError } from '../../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../../../content/catalog.js';
import { shownLocale } from '../entry.presenter.js';
import type { StoredEntry } from '../stored-entry.js';
import { siteOf } from './entry-rights.js';

function servedLocale(catalog: Catalog, site: SiteDefinition, locale: string | undefined): string {
  const code = locale ?? site.defaultLocale;
  if (site.locales.includes(code) && catalog.locale(code)?.isActive === true) return code;
  throw new AppError('locale_not_found', { path: ['locale'], locale: code });
}

/** @param written where the document is */
export const notLocalized = (
  written: string,
  { locale, path = ['locale'] }: { readonly locale: string; readonly path?: readonly string[] },
): AppError => new AppError('type_not_localized', { path, locale, documentLocale: written });

/** Where the one document of an entry is written; undefined if its type has locales (rule localization/types). */
export const documentLocale = (catalog: Catalog, entry: StoredEntry): string | undefined =>
  catalog.contentTypeById(entry.contentTypeId)?.isLocalized === false
    ? shownLocale(entry, catalog)
    : undefined;

/**
 * The locale of an entry that a read shows. Defaults to the site's default locale.
 * @throws AppError 404 `locale_not_found`
 */
export function localeFor(catalog: Catalog, entry: StoredEntry, locale: string | undefined): string {
  const own = documentLocale(catalog, entry);
  if (own !== undefined && (locale === undefined || locale === own)) return own;
  const served = servedLocale(catalog, siteOf(catalog, entry), locale);
  return own ?? served;
}

/**
 * The locale of an entry that a call changes. A document of every locale is named by where it is written, or by the
 * site's default locale.
 * @throws AppError 404 `locale_not_found`, 422 `type_not_localized`
 */
export function localeToWrite(catalog: Catalog, entry: StoredEntry, locale: string | undefined): string {
  const found = localeFor(catalog, entry, locale);
  if (locale === undefined || locale === found || locale === siteOf(catalog, entry).defaultLocale)
    return found;
  throw notLocalized(found, { locale });
}

/**
 * The locale of a new entry.
 * @throws AppError 404 `locale_not_found`, 422 `type_not_localized`
 */
export function localeOfNew(
  catalog: Catalog,
  { type, site }: { readonly type: ContentTypeDefinition; readonly site: SiteDefinition },
  locale: string | undefined,
): string {
  const code = servedLocale(catalog, site, locale);
  if (type.isLocalized || code === site.defaultLocale) return code;
  throw notLocalized(site.defaultLocale, { locale: code });
}
