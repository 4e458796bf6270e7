import { AppError } from '../../../../../contracts/errors.js';
import { withWarnings, type Warned, type Warning } from '../../../../../contracts/envelopes.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog } from '../../../../content/catalog.js';
import { normalizeSlug } from '../../../../content/slug-field.js';
import { anyValue } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { localeToWrite } from '../access/entry-locale.js';
import { authorizeChange, entryPaths, siteOf } from '../access/entry-rights.js';
import { mayHaveBlocks, type NestedBlock } from '../blocks/nested-block.js';
import { existingIds, prepareBlocks } from '../blocks/prepare-blocks.js';
import { readInput } from '../blocks/read-input.js';
import { writeBlocks } from '../blocks/write-blocks.js';
import { entryEvent, changedParts, presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository } from '../history.repository.js';
import { linkRows } from '../link-rows.js';
import { noValues, valuesIn } from '../anchored-values.js';
import { valuesOf, type StoredEntry } from '../stored-entry.js';
import { typeOf } from '../drafts/draft-state.js';
import { checkDraftValues, mergeValues } from '../drafts/draft-values.js';
import { nameExternally } from '../drafts/external-id.js';
import { authorizeEntryMove, lockMoveTarget, moveEntry } from '../drafts/entry-place.js';
import { assertSlugPattern, slugFor } from '../drafts/entry-slug.js';
import {
  authorizeFields,
  changedFieldsOf,
  nextEntry,
  nextSlug,
  type NextDraft,
} from '../drafts/new-entry.js';
import { hasRichTextSource, type RichTextConverter } from '../drafts/rich-text-input.js';
import { isDisjoint, versionConflict } from '../drafts/version-conflict.js';
import { assignEntry, authorizeAssignment } from '../workflow/assign-entries.js';
import { saveContent } from '../workflow/save-content.js';

type Input = InputOf<typeof entries.update>;

function assertHasChange({ slug, externalId, fields, treeParentId, assigneeId }: Input): void {
  if ([slug, externalId, fields, treeParentId, assigneeId].every((value) => value === undefined))
    throw new AppError('no_update_fields');
}

/** A change with an outdated version. */
type Outdated = Pick<Input, 'version' | 'fields' | 'slug' | 'mergeStrategy'> & { readonly locale: string };

/**
 * Allows an outdated version with `mergeStrategy: "disjoint"` and no overlap.
 * @throws AppError 409 `version_conflict`
 */
export async function assertMergeable(
  work: UnitOfWork,
  before: StoredEntry,
  { version, locale, fields = {}, slug, mergeStrategy }: Outdated,
): Promise<void> {
  const base = await work.use(HistoryRepository).snapshotAt(before.id, version, locale);
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
  const next = nextSlug(entry, { type, locale, values, given: input.slug, catalog });
  const slug = typeof next === 'string' ? next : await slugFor(work, next);
  const draft: NextDraft = { type, locale, values, slug };
  const changedFields = changedFieldsOf(entry, draft);
  if (changedFields.length === 0) return { after: entry, changedFields };
  const paths = await entryPaths(work, 'update', [entry.id]);
  authorizeFields(work, entry, { catalog, type, locale, changedFields, paths });
  const after = await saveContent(work, catalog, {
    entry: nextEntry(work, entry, draft),
    locales: [locale],
    changeType: 'update',
    changedFields,
    comment: input.comment ?? null,
    links: linkRows(type, values, locale),
  });
  return { after, changedFields };
}

interface ReadUpdate {
  readonly input: Input;
  readonly blocks: readonly NestedBlock[];
  readonly warnings: readonly Warning[];
}

/** Before the entry is locked: a conversion takes time. */
async function readUpdate(
  work: UnitOfWork,
  catalog: Catalog,
  { input, converter }: { input: Input; converter: RichTextConverter },
): Promise<ReadUpdate> {
  const { fields } = input;
  if (fields === undefined || !(hasRichTextSource(fields) || mayHaveBlocks(fields)))
    return { input, blocks: [], warnings: [] };
  const entry = await work.use(EntryRepository).find(input.id, noValues);
  const type = typeOf(catalog, entry);
  const read = await readInput(work, { catalog, type, id: entry.id, fields }, converter);
  return { input: { ...input, fields: read.fields }, blocks: read.blocks, warnings: read.warnings };
}

/**
 * Updates one locale's draft and optionally the entry's place. Only content changes raise the version. Rich text may
 * be HTML or Markdown; blocks may be nested (rule entries/nested-blocks).
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
  const { input, blocks, warnings } = await readUpdate(work, catalog, { input: given, converter });
  const target = treeParentId === undefined ? undefined : await lockMoveTarget(work, id, treeParentId);
  const mode = target === undefined ? 'shared' : 'exclusive';
  const locked = await entries.lockAll([id, ...existingIds(blocks)], valuesIn(input.locale), mode);
  const found = locked.get(id.toLowerCase());
  if (found === undefined) throw new AppError('entry_not_found');
  await authorizeChange(work, found, {
    catalog,
    action: 'update',
    ...anyValue,
    // Live entries below it move along.
    ...(target && { isLive: true, treeSiteId: target.treeId }),
  });
  const site = siteOf(catalog, found);
  const locale = localeToWrite(catalog, found, input.locale);
  const [before = found] = await entries.complete([{ entry: found, locale }]);
  if (input.version !== before.version) await assertMergeable(work, before, { ...input, locale });
  if (target !== undefined) await authorizeEntryMove(work, before, target);
  const moved = target === undefined ? before : await moveEntry(work, before, { target });
  // The caller must also have the permission at the new place.
  if (moved !== before) await authorizeChange(work, moved, { catalog, action: 'update', ...anyValue });
  const prepared = await prepareBlocks(work, { catalog, site, locale, blocks, locked });
  const named = await nameExternally(work, { catalog, entry: moved }, input.externalId);
  const { after: written, changedFields } = await writeDraft(work, { catalog, entry: named, locale }, input);
  if (input.assigneeId !== undefined) await authorizeAssignment(work, catalog, { entry: written, locale });
  const after = await assignEntry(work, { catalog, entry: written, locale }, input.assigneeId);
  await writeBlocks(work, catalog, prepared);
  const data = presentEntry(after, locale, catalog);
  if (after === before) return withWarnings(data, warnings);
  const was = presentEntry(before, locale, catalog);
  entries.note({ action: 'entry.update', entry: after, locale, ...changedParts(was, data) });
  if (moved !== before) work.emit(entryEvent('moved', data));
  const changed = named === moved ? changedFields : [...changedFields, '_externalId'];
  if (changed.length > 0) work.emit(entryEvent('updated', data, changed));
  return withWarnings(data, warnings);
}
