import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, FieldDefinition, SiteDefinition } from '../../../content/catalog.js';
import type { StoredEntry } from '../stored-entry.js';

export function siteOf(catalog: Catalog, entry: Pick<StoredEntry, 'siteId'>): SiteDefinition {
  const site = catalog.site(entry.siteId);
  if (site === undefined) throw new Error('Entry has no site');
  return site;
}

/**
 * Defaults to the site's default locale.
 * @throws AppError 404 `locale_not_found`
 */
export function localeFor(catalog: Catalog, site: SiteDefinition, locale: string | undefined): string {
  const code = locale ?? site.defaultLocale;
  if (site.locales.includes(code) && catalog.locale(code)?.isActive === true) return code;
  throw new AppError('locale_not_found', { path: ['locale'], locale: code });
}

/** @throws AppError 409 `version_conflict` if a version is given and outdated */
export function assertVersion(entry: StoredEntry, version: number | undefined): void {
  if (version === undefined || version === entry.version) return;
  throw new AppError('version_conflict', {
    expectedVersion: version,
    currentVersion: entry.version,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
  });
}

/** Whether a live link in this field keeps its target published. */
export const isRestricting = (field: FieldDefinition): boolean =>
  (field.settings as { onTargetUnpublish?: string }).onTargetUnpublish === 'restrict';
