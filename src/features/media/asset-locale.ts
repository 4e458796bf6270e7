import { AppError } from '../../../contracts/errors.js';
import type { Catalog } from '../../content/catalog.js';

/** The tenant's default locale. */
export function defaultLocaleOf(catalog: Catalog): string {
  const locale = catalog.data.locales.find(({ isDefault }) => isDefault);
  if (locale === undefined) throw new Error('Tenant has no default locale');
  return locale.code;
}

/** @throws AppError 404 `locale_not_found` */
export function assetLocaleOf(catalog: Catalog, locale: string | undefined, key = 'locale'): string {
  if (locale === undefined) return defaultLocaleOf(catalog);
  if (catalog.locale(locale) === undefined) throw new AppError('locale_not_found', { path: [key], locale });
  return locale;
}
