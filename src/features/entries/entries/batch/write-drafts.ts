import type { Catalog } from '../../../../content/catalog.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { claimBlocks } from '../blocks/place-blocks.js';
import type { GivenBlock } from '../blocks/read-blocks.js';
import type { GivenFacts } from '../access/entry-rights.js';
import { typeOf } from '../drafts/draft-state.js';
import { withFacts } from '../drafts/new-entry.js';
import { entryEvent, changedParts, presentEntry } from '../entry.presenter.js';
import { EntryBatchRepository } from '../entry-batch.repository.js';
import { EntryRepository, type ContentChange } from '../entry.repository.js';
import { linkRows } from '../link-rows.js';
import type { StoredEntry } from '../stored-entry.js';
import { EntryStateRepository } from '../workflow/entry-state.repository.js';
import { prepareContent, settleContent } from '../workflow/save-content.js';

/** A checked change of a draft. */
export interface DraftChange {
  /** Null for a new entry. */
  readonly before: StoredEntry | null;
  readonly after: StoredEntry;
  readonly locale: string;
  /** Of the locale, shared ones included. */
  readonly values: FieldValues;
  readonly blocks: readonly GivenBlock[];
  readonly changedFields: readonly string[];
  readonly comment?: string | undefined;
  /** Of the source of a new entry. */
  readonly facts?: GivenFacts | undefined;
  readonly isImport: boolean;
}

function contentChange(
  catalog: Catalog,
  { before, after, locale, values, changedFields, comment, isImport }: DraftChange,
): ContentChange {
  return {
    entry: after,
    locales: [locale],
    changeType: isImport ? 'import' : before === null ? 'create' : 'update',
    changedFields,
    comment: comment ?? null,
    links: linkRows(catalog, typeOf(catalog, after), { values, locale }),
  };
}

/** Each entry has its own audit record, with its content, and its own event. */
function noteDraft(
  work: UnitOfWork,
  catalog: Catalog,
  { change, entry }: { change: DraftChange; entry: StoredEntry },
): void {
  const { before, locale, changedFields } = change;
  const after = presentEntry(entry, locale, catalog);
  const parts =
    before === null
      ? { before: null, after: { ...after } }
      : changedParts(presentEntry(before, locale, catalog), after);
  const action = before === null ? 'entry.create' : 'entry.update';
  work.use(EntryRepository).note({ action, entry, locale, ...parts, isAlong: true });
  work.emit(entryEvent(before === null ? 'created' : 'updated', after, changedFields));
}

/** Writes prepared drafts, with one statement for the new and one for the changed ones. Changed entries by id. */
export async function writeDrafts(
  work: UnitOfWork,
  catalog: Catalog,
  changes: readonly DraftChange[],
): Promise<ReadonlyMap<string, StoredEntry>> {
  const settled = new Map(changes.map(({ after }) => [after.id, after]));
  if (changes.length === 0) return settled;
  const entries = work.use(EntryBatchRepository);
  const made = changes.filter(({ before }) => before === null);
  const changed = changes.filter(({ before }) => before !== null);
  const prepare = (change: DraftChange) => prepareContent(catalog, contentChange(catalog, change));
  const inserted = made.map((change) => prepare(change).change);
  entries.insertAll(inserted);
  const imported = made.flatMap(({ facts = {} }, index) => {
    const entry = inserted[index]?.entry;
    return entry === undefined ? [] : (withFacts(entry, facts) ?? []);
  });
  entries.keepFacts(imported);
  for (const entry of [...inserted.map((one) => one.entry), ...imported]) settled.set(entry.id, entry);
  const prepared = changed.map(prepare);
  const saved = await entries.saveAll(prepared.map(({ change }) => change));
  await work.use(EntryStateRepository).enter(prepared.flatMap(({ returning }) => returning));
  for (const { change, returning } of prepared) {
    const written = saved.get(change.entry.id) ?? { entry: change.entry, anchored: null };
    settled.set(change.entry.id, settleContent(work, catalog, { saved: written, returning }));
  }
  await claimBlocks(
    work,
    changes.flatMap(({ after, blocks }) => blocks.map((block) => ({ entryId: after.id, block }))),
  );
  for (const change of changes)
    noteDraft(work, catalog, { change, entry: settled.get(change.after.id) ?? change.after });
  return settled;
}
