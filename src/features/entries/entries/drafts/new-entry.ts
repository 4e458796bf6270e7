import type { ContentTypeDefinition, Catalog } from '../../../../content/catalog.js';
import { changedNames, changedPaths } from '../../../../content/blocks/changed-paths.js';
import { splitValues } from '../../../../content/blocks/stored-values.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { EntryPlace } from '../../../routing/tree/index.js';
import { type StoredEntry, localeOf, valuesOf, withLocale } from '../stored-entry.js';
import { titleOf, type SlugSources } from './entry-slug.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import { followSlug, normalizeSlug, slugFieldOf, storedSlugFieldOf } from '../../../../content/slug-field.js';
import { authorizeEntry, sourceTime, type EntryPaths, type GivenFacts } from '../access/entry-rights.js';
import { shownLocale } from '../entry.presenter.js';
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
  readonly catalog: Catalog;
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
  { catalog, id, type, siteId, locale, place, values, slug, externalId = null }: NewDraft,
): StoredEntry {
  const { localized, shared } = splitValues(catalog, type, values);
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

/** The entry with what an import keeps of its source; undefined where that is nothing. */
export function withFacts(
  entry: StoredEntry,
  { createdAt, updatedAt, createdByName }: GivenFacts,
): StoredEntry | undefined {
  if (createdAt === undefined && updatedAt === undefined && createdByName === undefined) return undefined;
  const read = (text: string | undefined): Date | undefined =>
    text === undefined ? undefined : new Date(sourceTime(text));
  const created = read(createdAt) ?? read(updatedAt) ?? entry.createdAt;
  const updated = read(updatedAt) ?? created;
  const createdBy = { ...entry.createdBy, name: createdByName ?? entry.createdBy.name };
  const locales = entry.locales.map((state) => ({ ...state, updatedAt: updated }));
  return { ...entry, createdAt: created, updatedAt: updated, createdBy, locales };
}

/** New values of one locale of an entry. */
export interface NextDraft {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly locale: string;
  readonly values: FieldValues;
  readonly slug: string;
}

/** The current slug if it stays, else what the next one is made of: the caller's, else that of the slug field. */
export function nextSlug(
  entry: StoredEntry,
  draft: Omit<NextDraft, 'slug'> & { given: string | undefined },
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

const isUnset = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * A slug field with a source has the entry's slug as its value: from the beginning, when the slug changes, and when it
 * is cleared (rule entries/slugs). One that several locales share stays.
 */
export function withStoredSlug(entry: StoredEntry | null, draft: NextDraft): NextDraft {
  const { type, locale, values, slug } = draft;
  const field = storedSlugFieldOf(type);
  if (field === undefined) return draft;
  const { apiName: name, localized } = field;
  const isShared = !localized && (entry?.locales.some((state) => state.locale !== locale) ?? false);
  if (isShared) return draft;
  const known = entry === null ? undefined : localeOf(entry, locale)?.slug;
  const before = entry === null ? undefined : valuesOf(entry, locale)[name];
  const followed =
    known === undefined || values[name] !== before ? values : followSlug(type, values, [known, slug]);
  const isLeft = known === slug && isUnset(before);
  return isUnset(followed[name]) && !isLeft
    ? { ...draft, values: { ...followed, [name]: slug } }
    : { ...draft, values: followed };
}

/** Paths of what differs, `sections[<id>].title` inside blocks, and `_slug`. */
export function changedFieldsOf(entry: StoredEntry, { locale, values, slug }: NextDraft): string[] {
  const changed = changedPaths(valuesOf(entry, locale), values);
  return localeOf(entry, locale)?.slug === slug ? changed : [...changed, '_slug'];
}

/** The entry at its next version. */
export function nextEntry(
  { now, scope }: UnitOfWork,
  entry: StoredEntry,
  { catalog, type, locale, values, slug }: NextDraft,
): StoredEntry {
  const { localized, shared } = splitValues(catalog, type, values);
  const title = titleOf(type, values, slug);
  const draft = { locale, slug, title, fields: localized, updatedAt: now };
  const next = { version: entry.version + 1, sharedFields: shared, updatedAt: now, updatedBy: scope.actor };
  return withLocale({ ...entry, ...next }, draftState(localeOf(entry, locale), draft));
}

/**
 * Shared values need the permission for all locales. Values of blocks are asked for as the field that holds them.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeFields(
  work: UnitOfWork,
  entry: StoredEntry,
  { catalog, type, locale, values, slug, paths }: NextDraft & { readonly paths: EntryPaths },
): void {
  const next = splitValues(catalog, type, values);
  const was = splitValues(catalog, type, valuesOf(entry, locale));
  const isSlugKept = localeOf(entry, locale)?.slug === slug;
  const own = [...changedNames(was.localized, next.localized), ...(isSlugKept ? [] : ['_slug'])];
  const authorizeIn = (code: string | null, fields: readonly string[]): void => {
    if (fields.length > 0)
      authorizeEntry(work, entry, { catalog, action: 'update', locales: [code], fields, paths });
  };
  authorizeIn(locale, own);
  authorizeIn(null, changedNames(was.shared, next.shared));
}
