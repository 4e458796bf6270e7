import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, FieldDefinition, SiteDefinition } from '../../../content/catalog.js';
import type { StoredEntry } from '../stored-entry.js';

/** The entry's site, which outlives its entries. */
export function siteOf(catalog: Catalog, entry: Pick<StoredEntry, 'siteId'>): SiteDefinition {
  const site = catalog.site(entry.siteId);
  if (site === undefined) throw new Error('an entry without its site');
  return site;
}

/**
 * The locale of a write or read, the site's default when none is named.
 * @throws AppError 404 `locale_not_found` for one that the site does not have
 */
export function localeFor(catalog: Catalog, site: SiteDefinition, locale: string | undefined): string {
  const code = locale ?? site.defaultLocale;
  if (site.locales.includes(code) && catalog.locale(code)?.isActive === true) return code;
  throw new AppError('locale_not_found', { path: ['locale'], locale: code });
}

/** @throws AppError 409 `version_conflict` unless the caller knows the current version, or named none */
export function assertVersion(entry: StoredEntry, version: number | undefined): void {
  if (version === undefined || version === entry.version) return;
  throw new AppError('version_conflict', {
    expectedVersion: version,
    currentVersion: entry.version,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
  });
}

/** Whether a live link by this field keeps its target online. */
export const isRestricting = (field: FieldDefinition): boolean =>
  (field.settings as { onTargetUnpublish?: string }).onTargetUnpublish === 'restrict';
