import { AppError } from '../../../contracts/errors.js';
import type { Catalog } from '../../content/catalog.js';

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
