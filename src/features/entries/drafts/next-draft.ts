import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { normalizeSlug } from '../../../content/make-slug.js';
import { slugFieldOf } from '../../../content/slug-field.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeEntry, type EntryPaths } from '../access/entry-rights.js';
import { shownLocale } from '../entry.presenter.js';
import { localeOf, valuesOf, withLocale, type StoredEntry } from '../stored-entry.js';
import { changedNames } from '../changed-names.js';
import { draftState } from './draft-state.js';
import { splitValues } from './draft-values.js';
import { titleOf, type SlugSources } from './entry-slug.js';

/** New values of one locale of an entry. */
export interface NextDraft {
  readonly type: ContentTypeDefinition;
  readonly locale: string;
  readonly values: FieldValues;
  readonly slug: string;
}

/** The current slug if it stays, else what the next one is made of: the caller's, else that of the slug field. */
export function nextSlug(
  entry: StoredEntry,
  draft: Omit<NextDraft, 'slug'> & { given: string | undefined; catalog: Catalog },
): string | SlugSources {
  const { type, locale, values, given, catalog } = draft;
  const known = localeOf(entry, locale)?.slug;
  const field = slugFieldOf(type);
  const isFieldChanged = field !== undefined && !isEqualJson(values[field], valuesOf(entry, locale)[field]);
  if (known !== undefined && !isFieldChanged && (given === undefined || normalizeSlug(given) === known))
    return known;
  const { siteId, id: entryId, place } = entry;
  const scope = { siteId, contentTypeId: type.id, locale, entryId, place };
  const sibling = localeOf(entry, shownLocale(entry, catalog))?.slug;
  return { type, values, given, sibling, scope };
}

/** Fields whose value differs, and `_slug`. */
export function changedFieldsOf(entry: StoredEntry, { locale, values, slug }: NextDraft): string[] {
  const changed = changedNames(valuesOf(entry, locale), values);
  return localeOf(entry, locale)?.slug === slug ? changed : [...changed, '_slug'];
}

/** The entry at its next version. */
export function nextEntry(
  { now, scope }: UnitOfWork,
  entry: StoredEntry,
  { type, locale, values, slug }: NextDraft,
): StoredEntry {
  const { localized, shared } = splitValues(type, values);
  const title = titleOf(type, values, slug);
  const draft = { locale, slug, title, fields: localized, updatedAt: now };
  const next = { version: entry.version + 1, sharedFields: shared, updatedAt: now, updatedBy: scope.actor };
  return withLocale({ ...entry, ...next }, draftState(localeOf(entry, locale), draft));
}

/**
 * Shared fields need the permission for all locales.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeFields(
  work: UnitOfWork,
  entry: StoredEntry,
  {
    catalog,
    type,
    locale,
    changedFields,
    paths,
  }: Pick<NextDraft, 'type' | 'locale'> & {
    catalog: Catalog;
    changedFields: readonly string[];
    paths: EntryPaths;
  },
): void {
  const isShared = (name: string) => type.fields.some((field) => field.apiName === name && !field.localized);
  const shared = changedFields.filter(isShared);
  const own = changedFields.filter((name) => !isShared(name));
  const authorizeIn = (code: string | null, fields: readonly string[]): void => {
    if (fields.length > 0)
      authorizeEntry(work, entry, { catalog, action: 'update', locales: [code], fields, paths });
  };
  authorizeIn(locale, own);
  authorizeIn(null, shared);
}
