import { AppError } from '../../../../contracts/errors.js';
import { withWarnings, type Warned, type Warning } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import { normalizeSlug } from '../../../content/make-slug.js';
import { slugFieldOf } from '../../../content/slug-field.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { anyValue } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { changedNames, draftState, typeOf, valuesOf } from './draft-state.js';
import { checkDraftValues, mergeValues, splitValues } from './draft-values.js';
import { linkRows } from '../link-rows.js';
import { lockMoveTarget, moveEntry } from './entry-place.js';
import { authorizeChange } from '../access/entry-rights.js';
import { entryEvent } from '../entry.events.js';
import { localeFor, siteOf } from '../access/entry.policy.js';
import { presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { assertSlugPattern, slugFor, titleOf } from './entry-slug.js';
import { localeOf, withLocale, type StoredEntry, type StoredLocale } from '../stored-entry.js';
import { HistoryRepository } from '../history.repository.js';
import { convertRichTextFields, hasRichTextSource, type RichTextConverter } from './rich-text-input.js';
import { isDisjoint, versionConflict } from './version-conflict.js';

type Input = InputOf<typeof entries.update>;

interface Draft {
  readonly type: ContentTypeDefinition;
  readonly locale: string;
  readonly values: FieldValues;
  readonly slug: string;
}

function assertHasChange({ slug, fields, treeParentId }: Input): void {
  if (slug === undefined && fields === undefined && treeParentId === undefined)
    throw new AppError('no_update_fields');
}

/** The caller's slug, else a changed slug field's, else the current one. */
async function nextSlug(
  work: UnitOfWork,
  entry: StoredEntry,
  draft: Omit<Draft, 'slug'> & { given: string | undefined; catalog: Catalog },
): Promise<string> {
  const { type, locale, values, given, catalog } = draft;
  const known = localeOf(entry, locale)?.slug;
  const field = slugFieldOf(type);
  const isFieldChanged = field !== undefined && !isEqualJson(values[field], valuesOf(entry, locale)[field]);
  if (known !== undefined && !isFieldChanged && (given === undefined || normalizeSlug(given) === known))
    return known;
  const scope = {
    siteId: entry.siteId,
    contentTypeId: type.id,
    locale,
    entryId: entry.id,
    place: entry.place,
  };
  const sibling = localeOf(entry, shownLocale(entry, catalog))?.slug;
  return slugFor(work, { type, values, given, sibling, scope });
}

function localeAfter(entry: StoredEntry, { type, locale, values, slug }: Draft, now: Date): StoredLocale {
  const { localized } = splitValues(type, values);
  const title = titleOf(type, values, slug);
  return draftState(localeOf(entry, locale), { locale, slug, title, fields: localized, updatedAt: now });
}

function changedFieldsOf(entry: StoredEntry, { locale, values, slug }: Draft): string[] {
  const changed = changedNames(valuesOf(entry, locale), values);
  return localeOf(entry, locale)?.slug === slug ? changed : [...changed, '_slug'];
}

/**
 * Allows an outdated version with `mergeStrategy: "disjoint"` and no overlap.
 * @throws AppError 409 `version_conflict`
 */
async function assertMergeable(
  work: UnitOfWork,
  before: StoredEntry,
  { version, locale, fields = {}, slug, mergeStrategy }: Input & { locale: string },
): Promise<void> {
  const base = await work.use(HistoryRepository).snapshotAt(before.id, version);
  const wantedSlug = slug === undefined ? undefined : normalizeSlug(slug);
  const stale = { version, locale, fields, slug: wantedSlug, base };
  if (mergeStrategy === 'disjoint' && isDisjoint(before, stale)) return;
  throw versionConflict(before, stale);
}

/** `entry` is already at its new place. */
interface Target {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  readonly locale: string;
}

/** Shared fields need the permission for all locales. */
async function authorizeFields(
  work: UnitOfWork,
  entry: StoredEntry,
  { type, locale, changedFields }: { type: ContentTypeDefinition; locale: string; changedFields: string[] },
): Promise<void> {
  const isShared = (name: string) => type.fields.some((field) => field.apiName === name && !field.localized);
  const shared = changedFields.filter(isShared);
  const own = changedFields.filter((name) => !isShared(name));
  if (own.length > 0)
    await authorizeChange(work, entry, { action: 'update', locales: [locale], fields: own });
  if (shared.length > 0)
    await authorizeChange(work, entry, { action: 'update', locales: [null], fields: shared });
}

/** Equal values write nothing. */
async function writeDraft(
  work: UnitOfWork,
  { catalog, entry, locale }: Target,
  input: Input,
): Promise<{ after: StoredEntry; changedFields: string[] }> {
  const type = typeOf(catalog, entry);
  assertSlugPattern(type, input.slug);
  const given = await checkDraftValues(work, { catalog, type }, input.fields ?? {});
  const values = mergeValues(valuesOf(entry, locale), given);
  const slug = await nextSlug(work, entry, { type, locale, values, given: input.slug, catalog });
  const draft: Draft = { type, locale, values, slug };
  const changedFields = changedFieldsOf(entry, draft);
  if (changedFields.length === 0) return { after: entry, changedFields };
  await authorizeFields(work, entry, { type, locale, changedFields });
  const changed = {
    ...entry,
    version: entry.version + 1,
    sharedFields: splitValues(type, values).shared,
    updatedAt: work.now,
    updatedBy: work.scope.actor,
  };
  const after = await work.use(EntryRepository).save({
    entry: withLocale(changed, localeAfter(entry, draft, work.now)),
    locales: [locale],
    changeType: 'update',
    changedFields,
    comment: input.comment ?? null,
    links: linkRows(type, values, locale),
  });
  return { after, changedFields };
}

/** Before the entry is locked: a conversion takes time. */
async function convertInput(
  work: UnitOfWork,
  catalog: Catalog,
  { input, converter }: { input: Input; converter: RichTextConverter },
): Promise<{ input: Input; warnings: Warning[] }> {
  if (input.fields === undefined || !hasRichTextSource(input.fields)) return { input, warnings: [] };
  const type = typeOf(catalog, await work.use(EntryRepository).find(input.id));
  const { fields, warnings } = await convertRichTextFields(type, input.fields, converter);
  return { input: { ...input, fields }, warnings };
}

/**
 * Updates one locale's draft and optionally the entry's place. Only content changes raise the version. Rich text may
 * be HTML or Markdown.
 */
export async function updateEntry(
  work: UnitOfWork,
  given: Input,
  converter: RichTextConverter,
): Promise<Warned<Entry>> {
  assertHasChange(given);
  const { id, treeParentId } = given;
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const { input, warnings } = await convertInput(work, catalog, { input: given, converter });
  const target = treeParentId === undefined ? undefined : await lockMoveTarget(work, id, treeParentId);
  const before = await entries.lock(id, target === undefined ? 'shared' : 'exclusive');
  await authorizeChange(work, before, {
    action: 'update',
    ...anyValue,
    // Live entries below it move along.
    ...(target && { isLive: true, treeSiteId: target.treeId }),
  });
  const locale = localeFor(catalog, siteOf(catalog, before), input.locale);
  if (input.version !== before.version) await assertMergeable(work, before, { ...input, locale });
  const moved = target === undefined ? before : await moveEntry(work, before, { target });
  // The caller must also have the permission at the new place.
  if (moved !== before) await authorizeChange(work, moved, { action: 'update', ...anyValue });
  const { after, changedFields } = await writeDraft(work, { catalog, entry: moved, locale }, input);
  const data = presentEntry(after, locale, catalog);
  if (after === before) return withWarnings(data, warnings);
  const was = presentEntry(before, locale, catalog);
  entries.note({ action: 'entry.update', entry: after, locale, before: { ...was }, after: { ...data } });
  if (moved !== before) work.emit(entryEvent('moved', data));
  if (changedFields.length > 0) work.emit(entryEvent('updated', data, changedFields));
  return withWarnings(data, warnings);
}
