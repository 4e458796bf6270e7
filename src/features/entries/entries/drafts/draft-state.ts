import { AppError } from '../../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../../../content/catalog.js';
import { linkRows } from '../link-rows.js';
import type { LinkRow } from '../entry.repository.js';
import { valuesOf, type StoredEntry, type StoredLocale } from '../stored-entry.js';

export function typeOf(catalog: Catalog, entry: StoredEntry): ContentTypeDefinition {
  const type = catalog.contentTypeById(entry.contentTypeId);
  if (type === undefined) throw new Error('Entry has no content type');
  return type;
}

/** Links of these locales and of the shared values. */
export function linksOfLocales(catalog: Catalog, entry: StoredEntry, locales: readonly string[]): LinkRow[] {
  const rows = locales.flatMap((locale) =>
    linkRows(catalog, typeOf(catalog, entry), { values: valuesOf(entry, locale), locale }),
  );
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

export type LocaleDraft = Pick<StoredLocale, 'locale' | 'slug' | 'title' | 'fields' | 'updatedAt'>;

/** Keeps the published state. */
export function draftState(known: StoredLocale | undefined, draft: LocaleDraft): StoredLocale {
  const marks = { contentHash: '', publishedContentHash: null, publishedSharedHash: null };
  const publication = { publishedVersion: null, publishedAt: null, firstPublishedAt: null };
  return { ...marks, ...publication, ...known, ...draft };
}

/**
 * For a locale named in the body.
 * @throws AppError 404 `locale_not_found`
 */
export function assertLocale(
  catalog: Catalog,
  site: SiteDefinition,
  { locale, path }: { locale: string; path: readonly (string | number)[] },
): void {
  if (site.locales.includes(locale) && catalog.locale(locale)?.isActive === true) return;
  throw new AppError('locale_not_found', { path, locale });
}
