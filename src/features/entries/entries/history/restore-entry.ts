import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { changedPaths, rootOf } from '../../../../content/blocks/changed-paths.js';
import { composeValues, splitValues } from '../../../../content/blocks/stored-values.js';
import { blockFieldsOf, knownValues } from '../../../../content/blocks/value-parts.js';
import { isObject } from '../../../../content/exact-json/is-object.js';

import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { valuesIn } from '../anchored-values.js';
import { FormerBlocks } from '../blocks/former-blocks.js';
import { draftState, linksOfLocales, assertLocale, typeOf } from '../drafts/draft-state.js';
import { checkWholeValues } from '../drafts/draft-values.js';
import { shownLocale, entryEvent, changedParts, presentEntry } from '../entry.presenter.js';
import { type ContentChange, EntryRepository } from '../entry.repository.js';
import { followSlug } from '../../../../content/slug-field.js';
import { titleOf } from '../drafts/entry-slug.js';
import { type Snapshot, HistoryRepository, snapshotValues } from '../history.repository.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import { localeOf, valuesOf, withLocale, type StoredEntry } from '../stored-entry.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import { anyValue } from '../../../../access/grants.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { documentLocale, localeToWrite } from '../access/entry-locale.js';
import { authorizeChange, assertVersion, siteOf } from '../access/entry-rights.js';
import { saveContent } from '../workflow/save-content.js';
import { versionNumOf } from './entry-versions.js';

interface Restoration {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly before: StoredEntry;
  readonly snapshot: Snapshot;
  readonly blocks: FormerBlocks;
}

interface RestoredLocale {
  readonly locale: string;
  readonly slug: string;
  readonly localized: FieldValues;
  readonly shared: FieldValues;
}

type RestoredContent = Pick<ContentChange, 'entry' | 'locales' | 'changedFields' | 'links'>;

/** Values of deleted fields are dropped, values that no longer fit are rejected, a taken slug is numbered. */
async function restoreLocale(
  work: UnitOfWork,
  { catalog, type, before, snapshot, blocks }: Restoration,
  { locale, slug: formerSlug, fields }: Snapshot['locales'][number],
): Promise<RestoredLocale> {
  const former = knownValues(catalog, type, composeValues(snapshot.shared, fields));
  const values = await checkWholeValues(work, { catalog, type }, blocks.placed({ locale, values: former }));
  const { siteId, id: entryId, place } = before;
  const scope = { siteId, contentTypeId: type.id, locale, entryId, place };
  const isKept = localeOf(before, locale)?.slug === formerSlug;
  const slug = isKept ? formerSlug : await work.use(SlugRepository).firstFree(formerSlug, scope);
  return { locale, slug, ...splitValues(catalog, type, followSlug(type, values, [formerSlug, slug])) };
}

/** If shared values differ between locales, the shown locale's win. */
function mergeShared(restored: readonly RestoredLocale[], shown: string): FieldValues {
  const ordered = [...restored].sort((a, b) => Number(a.locale === shown) - Number(b.locale === shown));
  return Object.assign({}, ...ordered.map(({ shared }) => shared)) as FieldValues;
}

/**
 * Localized values of blocks stand under the name of their list. Where a locale has some, the list stays, without blocks: they
 * would be a value of the field otherwise.
 */
function withLists(type: ContentTypeDefinition, entry: StoredEntry): StoredEntry {
  const left = blockFieldsOf(type)
    .filter(({ apiName, localized }) => !localized && !Array.isArray(entry.sharedFields[apiName]))
    .filter(({ apiName }) => entry.locales.some(({ fields }) => isObject(fields?.[apiName])));
  if (left.length === 0) return entry;
  const lists = left.map(({ apiName }) => [apiName, []] as const);
  return { ...entry, sharedFields: { ...entry.sharedFields, ...Object.fromEntries(lists) } };
}

/** Changed locales, or the one given if only shared values changed, or nothing. */
function changedLocales(before: StoredEntry, after: StoredEntry, otherwise: string): string[] {
  const differing = after.locales.filter((state) => {
    const was = localeOf(before, state.locale);
    return was?.slug !== state.slug || !isEqualJson(was.fields, state.fields);
  });
  return differing.length > 0 ? differing.map(({ locale }) => locale) : [otherwise];
}

function changedFieldsOf(before: StoredEntry, after: StoredEntry, locales: readonly string[]): string[] {
  const names = locales.flatMap((locale) => [
    ...changedPaths(valuesOf(before, locale), valuesOf(after, locale)),
    ...(localeOf(before, locale)?.slug === localeOf(after, locale)?.slug ? [] : ['_slug']),
  ]);
  return [...new Set(names)];
}

/**
 * The entry at its next version, also if its content is equal (rule entries/versions). Locales missing from the snapshot stay.
 * @param isOneLocale keeps the shared values
 * @throws AppError 422 `validation_failed`
 */
async function restoreContent(
  work: UnitOfWork,
  restoration: Restoration,
  isOneLocale: boolean,
): Promise<RestoredContent> {
  const { before, type, snapshot, catalog } = restoration;
  const restored: RestoredLocale[] = [];
  for (const state of snapshot.locales) restored.push(await restoreLocale(work, restoration, state));
  const shown = shownLocale(before, catalog);
  const shared = isOneLocale ? before.sharedFields : mergeShared(restored, shown);
  const written = restored.reduce<StoredEntry>(
    (entry, { locale, slug, localized }) => {
      const title = titleOf(type, { ...shared, ...localized }, slug);
      const draft = { locale, slug, title, fields: localized, updatedAt: work.now };
      return withLocale(entry, draftState(localeOf(entry, locale), draft));
    },
    { ...before, sharedFields: shared },
  );
  const after = withLists(type, written);
  const [only] = restored;
  const locales = changedLocales(before, after, isOneLocale && only ? only.locale : shown);
  const next = { version: before.version + 1, updatedAt: work.now, updatedBy: work.scope.actor };
  return {
    entry: { ...after, ...next },
    locales,
    changedFields: changedFieldsOf(before, after, locales),
    links: linksOfLocales(catalog, after, locales),
  };
}

type Request = Omit<InputOf<typeof entries.restore>, 'projectSlug'>;

/** The snapshot, reduced to the requested locale. */
async function wantedSnapshot(work: UnitOfWork, { id }: StoredEntry, request: Request): Promise<Snapshot> {
  const { versionNum, locale: wanted } = request;
  const snapshot = await work.use(HistoryRepository).snapshotAt(id, versionNum, wanted);
  if (snapshot === undefined) throw new AppError('version_not_found', { versionNum });
  if (wanted === undefined) return snapshot;
  if (snapshot.locales.length === 0)
    throw new AppError('version_not_found', { path: ['locale'], versionNum, locale: wanted });
  return snapshot;
}

/** Of a document of every locale, whatever other locales the version has. */
const inLocale = (snapshot: Snapshot, own: string | undefined): Snapshot =>
  own === undefined
    ? snapshot
    : { ...snapshot, locales: snapshot.locales.filter(({ locale }) => locale === own) };

async function restore(work: UnitOfWork, given: Request): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const locked = await entries.lock(given.id, given.locale === undefined ? 'all' : valuesIn(given.locale));
  const own = documentLocale(catalog, locked);
  if (own !== undefined) localeToWrite(catalog, locked, given.locale);
  const request = own === undefined ? given : { ...given, locale: undefined };
  const [before = locked] = await entries.complete([{ entry: locked, locale: own ?? '' }]);
  await authorizeChange(work, before, { catalog, action: 'update', ...anyValue });
  if (request.locale !== undefined)
    assertLocale(catalog, siteOf(catalog, before), { locale: request.locale, path: ['locale'] });
  assertVersion(before, request.version);
  const snapshot = inLocale(await wantedSnapshot(work, before, request), own);
  const locale = request.locale ?? shownLocale(before, catalog);
  const type = typeOf(catalog, before);
  const formerValues = snapshot.locales.map(({ locale: code }) => ({
    locale: code,
    values: snapshotValues(snapshot, code),
  }));
  const source = { catalog, type, entryId: before.id, version: request.versionNum };
  const blocks = await FormerBlocks.of(work, source, formerValues);
  const restoration: Restoration = { catalog, type, before, snapshot, blocks };
  const restored = await restoreContent(work, restoration, request.locale !== undefined);
  const was = presentEntry(before, locale, catalog);
  await authorizeChange(work, before, {
    catalog,
    action: 'update',
    // Shared values are restored only with the whole version.
    locales: [...restored.locales, ...(request.locale === undefined ? [null] : [])],
    fields: [...new Set(restored.changedFields.map(rootOf))],
  });
  const after = await saveContent(work, catalog, {
    ...restored,
    changeType: 'restore',
    comment: request.comment ?? null,
  });
  blocks.note();
  const data = presentEntry(after, locale, catalog);
  const { before: former, after: restoredParts } = changedParts(was, data);
  entries.note({
    action: 'entry.restore',
    entry: after,
    locale,
    before: former,
    after: { ...restoredParts, restoredVersion: request.versionNum },
  });
  work.emit(entryEvent('restored', data, restored.changedFields));
  return { data };
}

/** Restores an earlier version as a new draft; published content stays. */
export function restoreEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.restore>,
): Promise<{ data: Entry }> {
  return restore(work, input);
}

/** As {@link restoreEntry}, with the version in the path. */
export async function restoreEntryVersion(
  work: UnitOfWork,
  input: InputOf<typeof entries.restoreVersion>,
): Promise<{ data: Entry }> {
  return restore(work, { ...input, versionNum: versionNumOf(input.versionNum) });
}
