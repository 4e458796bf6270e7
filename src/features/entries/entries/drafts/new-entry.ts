import type { ContentTypeDefinition, Catalog } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { EntryPlace } from '../../../routing/tree/index.js';
import { type StoredEntry, localeOf, valuesOf, withLocale } from '../stored-entry.js';
import { splitValues } from './draft-values.js';
import { titleOf, type SlugSources } from './entry-slug.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import { normalizeSlug, slugFieldOf } from '../../../../content/slug-field.js';
import { authorizeEntry, type EntryPaths } from '../access/entry-rights.js';
import { shownLocale } from '../entry.presenter.js';
import { changedNames } from '../anchored-values.js';
import { draftState } from './draft-state.js';

/** An explicit null overrides a default. */
export function withDefaults(type: ContentTypeDefinition, given: FieldValues): FieldValues {
  const defaults = type.fields.filter(
    ({ defaultValue }) => defaultValue !== null && defaultValue !== undefined,
  );
  return {
    ...Object.fromEntries(defaults.map(({ apiName, defaultValue }) => [apiName, defaultValue])),
    ...given,
  };
}

interface NewDraft {
  readonly id: string;
  readonly type: ContentTypeDefinition;
  readonly siteId: string;
  readonly locale: string;
  readonly place: EntryPlace | null;
  readonly values: FieldValues;
  readonly slug: string;
  readonly externalId?: string | null | undefined;
}

/** At version 1 with one locale. */
export function newEntry(
  { now, scope }: UnitOfWork,
  { id, type, siteId, locale, place, values, slug, externalId = null }: NewDraft,
): StoredEntry {
  const { localized, shared } = splitValues(type, values);
  const marks = { contentHash: '', publishedContentHash: null, publishedSharedHash: null };
  const publication = { publishedVersion: null, publishedAt: null, firstPublishedAt: null };
  const title = titleOf(type, values, slug);
  return {
    id,
    contentTypeId: type.id,
    siteId,
    version: 1,
    externalId,
    sharedFields: shared,
    sharedHash: '',
    createdAt: now,
    createdBy: scope.actor,
    updatedAt: now,
    updatedBy: scope.actor,
    deletedAt: null,
    place,
    isHome: false,
    locales: [{ locale, slug, title, fields: localized, updatedAt: now, ...marks, ...publication }],
  };
}

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
