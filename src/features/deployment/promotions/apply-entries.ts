import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import { ROOT } from '../../../content/three-way.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import {
  changedParts,
  deleteEntries,
  emitReturned,
  entryEvent,
  EntryRepository,
  EntryStateRepository,
  isAdmitted,
  isRefusal,
  presentEntry,
  returningStates,
  shownLocale,
  type StoredEntry,
} from '../../entries/entries/index.js';
import { TreeEntryRepository } from '../../routing/tree/index.js';
import { ofKind } from './apply-rows.js';
import { EntryRowRepository, PromotedBlockRepository, type MovedBlock } from './entry-row.repository.js';
import { entryRows, type EntryRows } from './entry-rows.js';
import type { EntryContext } from './entry-values.js';
import type { PromotionPlan } from './promotion-plan.js';
import type { PromotionProgress } from './promotion-progress.js';

/** Entries written by one statement. */
const BATCH = 500;

/** Entries that will have a node in the tree of their site. */
async function entriesInTree(
  work: UnitOfWork,
  plan: PromotionPlan,
  rows: readonly EntryRows[],
): Promise<string[]> {
  const ids = rows.map(({ id }) => id);
  const known = new Set(await work.use(EntryRowRepository).inTree(ids));
  for (const { sides } of ofKind(plan, 'treeNode', true))
    known.delete(String(sides.target.get(ROOT)?.entry_id));
  for (const { merged } of ofKind(plan, 'treeNode')) {
    const node = merged.get(ROOT);
    if (rows.some(({ id, siteId }) => id === node?.entry_id && siteId === node.site_id))
      known.add(String(node?.entry_id));
  }
  return [...known];
}

/** Values that leave their entries are free for others, in whatever order both are written. */
export async function vacateSlugs(work: UnitOfWork, plan: PromotionPlan): Promise<void> {
  const renamed = ofKind(plan, 'entry').flatMap(({ id, taken }) =>
    taken.flatMap(({ part, key }) => (part !== ROOT && key === 'slug' ? [{ id, locale: part }] : [])),
  );
  const deleted = ofKind(plan, 'entry', true).map(({ id }) => id);
  const placed = ofKind(plan, 'treeNode').flatMap(({ merged }) => {
    const { entry_id: id, site_id: siteId } = merged.get(ROOT) ?? {};
    return typeof id === 'string' && typeof siteId === 'string' ? [id] : [];
  });
  const identified = ofKind(plan, 'entry').filter(({ taken }) =>
    taken.some(({ part, key }) => part === ROOT && key === 'external_id'),
  );
  const writer = work.use(EntryRowRepository);
  await writer.vacateSlugs(renamed);
  await work.use(TreeEntryRepository).setInTree([...deleted, ...placed], true);
  await writer.vacateExternalIds(identified.map(({ id }) => id));
}

/** With the values of the locale that their record shows. */
function byId(work: UnitOfWork, rows: readonly EntryRows[]): Promise<Map<string, StoredEntry>> {
  const shown = rows.map(({ id, written: [written], locales }) => {
    const read = written === undefined ? locales.map(({ locale }) => locale) : [written];
    return [id, read] as const;
  });
  return work.use(EntryRepository).readAll(
    rows.map(({ id }) => id),
    new Map(shown),
  );
}

function noteWritten(
  work: UnitOfWork,
  catalog: Catalog,
  { row, before, after }: { row: EntryRows; before: StoredEntry | undefined; after: StoredEntry },
): void {
  const [locale = shownLocale(after, catalog)] = row.written;
  const data = presentEntry(after, locale, catalog);
  const parts =
    before === undefined
      ? { before: null, after: { ...data } }
      : changedParts(presentEntry(before, locale, catalog), data);
  const action = before === undefined ? 'entry.create' : 'entry.update';
  work.use(EntryRepository).note({ action, entry: after, locale, ...parts });
  work.emit(entryEvent(before === undefined ? 'created' : 'updated', data, before && row.changedFields));
}

/** New locales of an entry that has one state in all its locales start in that state. */
function inKnownState(catalog: Catalog, row: EntryRows, before: StoredEntry | undefined): EntryRows {
  const known = before?.locales[0]?.workflowState;
  if (known === undefined || catalog.workflowOf(row)?.perLocale !== false) return row;
  return { ...row, locales: row.locales.map((one) => ({ ...one, workflowState: known })) };
}

/** Writes rows as edits of their entries: approved content that changes leaves its state (rule environments/promotion). */
async function writeRows(
  work: UnitOfWork,
  given: readonly EntryRows[],
  { catalog, inTree, comment }: { catalog: Catalog; inTree: readonly string[]; comment: string | null },
): Promise<void> {
  const before = await byId(work, given);
  const rows = given.map((row) => inKnownState(catalog, row, before.get(row.id)));
  const returning = rows.flatMap(({ id, changedFields, written }) => {
    const entry = before.get(id);
    return entry === undefined ? [] : returningStates(catalog, { entry, changedFields, locales: written });
  });
  await work.use(EntryRowRepository).write(rows, { inTree, comment });
  await work.use(EntryStateRepository).enter(returning);
  const after = await byId(work, rows);
  for (const row of rows) {
    const written = after.get(row.id);
    if (written === undefined) continue;
    noteWritten(work, catalog, { row, before: before.get(row.id), after: written });
    const left = returning.filter(({ entryId }) => entryId === row.id);
    emitReturned(work, catalog, { after: written, returning: left });
  }
}

interface WriteOptions {
  readonly context: EntryContext;
  readonly comment: string | null;
  readonly progress: PromotionProgress | undefined;
}

/** Creates and updates the entries of the plan. @returns blocks that were those of other entries */
export async function applyEntries(
  work: UnitOfWork,
  plan: PromotionPlan,
  { context, comment, progress }: WriteOptions,
): Promise<MovedBlock[]> {
  const turns = new Turns();
  const rows: EntryRows[] = [];
  const moved: MovedBlock[] = [];
  for (const item of ofKind(plan, 'entry')) {
    rows.push(entryRows(item, context));
    await turns.pause();
  }
  const inTree = await entriesInTree(work, plan, rows);
  await work.use(EntryRowRepository).removeLocales(rows);
  for (let start = 0; start < rows.length; start += BATCH) {
    const some = rows.slice(start, start + BATCH);
    await writeRows(work, some, { catalog: context.catalog, inTree, comment });
    moved.push(...(await work.use(PromotedBlockRepository).write(some)));
    await progress?.wrote(some.length);
    await turns.pause();
  }
  return moved;
}

/** @throws AppError of the first entry that cannot be deleted, with its id */
export async function deletePlannedEntries(
  work: UnitOfWork,
  catalog: Catalog,
  plan: PromotionPlan,
): Promise<void> {
  const ids = ofKind(plan, 'entry', true).map(({ id }) => id);
  if (ids.length === 0) return;
  const outcomes = await deleteEntries(
    work,
    catalog,
    ids.map((id) => ({ id })),
  );
  const refused = outcomes.find(isRefusal);
  if (refused !== undefined)
    throw new AppError(refused.error.code, { entryId: refused.id, reason: refused.error.details });
  for (const { locale, before } of outcomes.filter(isAdmitted))
    work.use(EntryRepository).note({
      action: 'entry.delete',
      entry: before,
      locale,
      before: { ...presentEntry(before, locale, catalog) },
      after: null,
    });
}
