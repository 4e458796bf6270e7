import { AppError } from '../../../../../contracts/errors.js';
import { withWarnings, type Warned } from '../../../../../contracts/envelopes.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { anyValue } from '../../../../access/grants.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { authorizeChange, entryPaths } from '../access/entry-rights.js';
import { valuesOf, type StoredEntry } from '../stored-entry.js';
import { ExternalIdRepository } from '../drafts/external-id.repository.js';
import { localeToWrite } from '../access/entry-locale.js';
import { claimBlocksOf, completeValues } from '../blocks/place-blocks.js';
import { mayHaveBlocks } from '../blocks/read-blocks.js';
import { readInput, type ItemLinks, type ReadFields } from '../blocks/read-input.js';
import { entryEvent, changedParts, presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { linkRows } from '../link-rows.js';
import { valuesIn } from '../anchored-values.js';
import { typeOf } from '../drafts/draft-state.js';
import { authorizeEntryMove, lockMoveTarget, moveEntry } from '../drafts/entry-place.js';
import { assertSlugPattern, slugFor } from '../drafts/entry-slug.js';
import {
  authorizeFields,
  changedFieldsOf,
  nextEntry,
  nextSlug,
  withStoredSlug,
} from '../drafts/new-entry.js';
import { hasRichTextSource, type RichTextConverter } from '../drafts/rich-text-input.js';
import {
  mergeStale,
  readBase,
  valuesSeen,
  versionConflict,
  type StaleBase,
} from '../drafts/version-conflict.js';
import { assignEntry, authorizeAssignment } from '../workflow/assign-entries.js';
import { saveContent } from '../workflow/save-content.js';

/**
 * Gives a locked entry its external id, or takes it away; undefined keeps it. Content and version stay. Rights that are limited to fields or locales
 * do not reach it.
 * @throws AppError 403 `permission_denied`, 409 `external_id_conflict`
 */
async function nameExternally(
  work: UnitOfWork,
  { catalog, entry }: { catalog: Catalog; entry: StoredEntry },
  externalId: string | null | undefined,
): Promise<StoredEntry> {
  if (externalId === undefined || externalId === entry.externalId) return entry;
  await authorizeChange(work, entry, { catalog, action: 'update', locales: [null], fields: ['_externalId'] });
  const ids = work.use(ExternalIdRepository);
  if (externalId !== null) await ids.assertFree({ contentTypeId: entry.contentTypeId, externalId });
  await ids.write(entry.id, externalId);
  return { ...entry, externalId, updatedAt: work.now, updatedBy: work.scope.actor };
}

type Input = InputOf<typeof entries.update>;

/** Of an item of a batch. */
type LinkingInput = Input & {
  readonly links?: ItemLinks | undefined;
  readonly isImport?: boolean | undefined;
};

function assertHasChange({ slug, externalId, fields, treeParentId, assigneeId }: Input): void {
  if ([slug, externalId, fields, treeParentId, assigneeId].every((value) => value === undefined))
    throw new AppError('no_update_fields');
}

/** A change with an outdated version. */
type Outdated = Pick<Input, 'version' | 'fields' | 'slug' | 'mergeStrategy'> & { readonly locale: string };

/**
 * What the caller saw, where the change may be merged with those since: with `mergeStrategy: "disjoint"`.
 * @throws AppError 409 `version_conflict`
 */
export async function assertMergeable(
  work: UnitOfWork,
  before: StoredEntry,
  { version, locale, fields = {}, slug, mergeStrategy }: Outdated,
): Promise<StaleBase> {
  const stale = await readBase(work, before, { version, locale, fields, slug });
  if (mergeStrategy !== 'disjoint' || stale.base === undefined || version > before.version)
    throw versionConflict(before, stale);
  return stale;
}

/** `entry` is already at its new place. */
interface Target {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  readonly locale: string;
}

/** Equal values write nothing. */
async function writeDraft(
  work: UnitOfWork,
  { catalog, entry, locale }: Target,
  { input, read, stale }: { input: LinkingInput; read: ReadFields; stale: StaleBase | undefined },
): Promise<{ after: StoredEntry; changedFields: string[] }> {
  const type = typeOf(catalog, entry);
  assertSlugPattern(type, input.slug);
  const known = stale === undefined ? valuesOf(entry, locale) : valuesSeen(stale);
  const wanted = await completeValues(work, { catalog, type, before: known, read });
  const values = stale === undefined ? wanted : mergeStale(entry, stale, wanted);
  const next = nextSlug(entry, { catalog, type, locale, values, given: input.slug });
  const slug = typeof next === 'string' ? next : await slugFor(work, next);
  const draft = withStoredSlug(entry, { catalog, type, locale, values, slug });
  const changedFields = changedFieldsOf(entry, draft);
  if (changedFields.length === 0) return { after: entry, changedFields };
  const paths = await entryPaths(work, 'update', [entry.id]);
  authorizeFields(work, entry, { ...draft, paths });
  const after = await saveContent(work, catalog, {
    entry: nextEntry(work, entry, draft),
    locales: [locale],
    changeType: input.isImport === true ? 'import' : 'update',
    changedFields,
    comment: input.comment ?? null,
    links: linkRows(catalog, type, { values: draft.values, locale }),
  });
  await claimBlocksOf(work, entry.id, read.blocks);
  return { after, changedFields };
}

/** Values to write, and the version of the entry that they were matched with; or why they cannot be read. */
interface EarlyRead {
  readonly version: number;
  readonly read: ReadFields | AppError;
}

/** Before the entry is locked, as a conversion takes time. Undefined where there is nothing to convert or to match. */
async function readEarly(
  work: UnitOfWork,
  catalog: Catalog,
  { input: { id, fields, locale, links }, converter }: { input: LinkingInput; converter: RichTextConverter },
): Promise<EarlyRead | undefined> {
  if (fields === undefined || !(hasRichTextSource(fields) || mayHaveBlocks(fields))) return undefined;
  const entries = work.use(EntryRepository);
  const found = await entries.find(id, valuesIn(locale));
  const code = localeToWrite(catalog, found, locale);
  const [entry = found] = await entries.complete([{ entry: found, locale: code }]);
  try {
    const known = valuesOf(entry, code);
    const given = { catalog, type: typeOf(catalog, entry), fields, known, links };
    const read = await readInput(work, given, converter);
    return { version: entry.version, read };
  } catch (error) {
    if (error instanceof AppError) return { version: entry.version, read: error };
    throw error;
  }
}

/** What was read of the version that the caller saw. @throws AppError why it could not be read */
function matchedRead(early: EarlyRead | undefined, { version }: Input): ReadFields | undefined {
  if (early?.version !== version) return undefined;
  if (early.read instanceof AppError) throw early.read;
  return early.read;
}

/** The record and the events of what changed. */
function noteUpdate(
  work: UnitOfWork,
  { catalog, entry, locale }: Target,
  { before, isMoved, changed }: { before: StoredEntry; isMoved: boolean; changed: readonly string[] },
): Entry {
  const data = presentEntry(entry, locale, catalog);
  const was = presentEntry(before, locale, catalog);
  work.use(EntryRepository).note({ action: 'entry.update', entry, locale, ...changedParts(was, data) });
  if (isMoved) work.emit(entryEvent('moved', data));
  if (changed.length > 0) work.emit(entryEvent('updated', data, changed));
  return data;
}

/**
 * Updates one locale's draft and optionally the entry's place. Only content changes raise the version. Rich text may
 * be HTML or Markdown; blocks are written with the entry (rule entries/own-blocks).
 */
export async function updateEntry(
  work: UnitOfWork,
  input: LinkingInput,
  converter: RichTextConverter,
): Promise<Warned<Entry>> {
  assertHasChange(input);
  const { id, treeParentId, fields = {}, links } = input;
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const early = await readEarly(work, catalog, { input, converter });
  const target = treeParentId === undefined ? undefined : await lockMoveTarget(work, id, treeParentId);
  const mode = target === undefined ? 'shared' : 'exclusive';
  const locked = await entries.lockAll([id], valuesIn(input.locale), mode);
  const found = locked.get(id.toLowerCase());
  if (found === undefined) throw await entries.missing(id);
  await authorizeChange(work, found, {
    catalog,
    action: 'update',
    ...anyValue,
    // Live entries below it move along.
    ...(target && { isLive: true, treeSiteId: target.treeId }),
  });
  const locale = localeToWrite(catalog, found, input.locale);
  const [before = found] = await entries.complete([{ entry: found, locale }]);
  const stale =
    input.version === before.version ? undefined : await assertMergeable(work, before, { ...input, locale });
  const matched = matchedRead(early, input);
  if (target !== undefined) await authorizeEntryMove(work, before, target);
  const moved = target === undefined ? before : await moveEntry(work, before, { target });
  // The caller must also have the permission at the new place.
  if (moved !== before) await authorizeChange(work, moved, { catalog, action: 'update', ...anyValue });
  const known = stale === undefined ? valuesOf(before, locale) : valuesSeen(stale);
  const given = { catalog, type: typeOf(catalog, before), fields, known, links };
  const read = matched ?? (await readInput(work, given, converter));
  const named = await nameExternally(work, { catalog, entry: moved }, input.externalId);
  const draft = { input, read, stale };
  const { after: written, changedFields } = await writeDraft(work, { catalog, entry: named, locale }, draft);
  if (input.assigneeId !== undefined) await authorizeAssignment(work, catalog, { entry: written, locale });
  const after = await assignEntry(work, { catalog, entry: written, locale }, input.assigneeId);
  const { warnings } = read;
  if (after === before) return withWarnings(presentEntry(after, locale, catalog), warnings);
  const changed = named === moved ? changedFields : [...changedFields, '_externalId'];
  const data = noteUpdate(
    work,
    { catalog, entry: after, locale },
    { before, isMoved: moved !== before, changed },
  );
  return withWarnings(data, warnings);
}
