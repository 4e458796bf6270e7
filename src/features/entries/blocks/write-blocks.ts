import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { typeOf } from '../drafts/draft-state.js';
import { entryEvent } from '../entry.events.js';
import { presentEntry } from '../entry.presenter.js';
import { EntryBatchRepository } from '../entry-batch.repository.js';
import { EntryRepository, type ContentChange } from '../entry.repository.js';
import { linkRows } from '../link-rows.js';
import type { StoredEntry } from '../stored-entry.js';
import { EntryStateRepository } from '../workflow/entry-state.repository.js';
import { prepareContent, settleContent } from '../workflow/save-content.js';
import type { BlockChange } from './prepare-blocks.js';

function contentChange(
  catalog: Catalog,
  { before, after, locale, values, changedFields }: BlockChange,
): ContentChange {
  return {
    entry: after,
    locales: [locale],
    changeType: before === null ? 'create' : 'update',
    changedFields,
    comment: null,
    links: linkRows(typeOf(catalog, after), values, locale),
  };
}

/** Its own audit record, with its content, and its own event. */
function noteBlock(
  work: UnitOfWork,
  catalog: Catalog,
  { change, entry }: { change: BlockChange; entry: BlockChange['after'] },
): void {
  const { before, locale, changedFields } = change;
  const after = presentEntry(entry, locale, catalog);
  const was = before === null ? null : { ...presentEntry(before, locale, catalog) };
  const action = before === null ? 'entry.create' : 'entry.update';
  const record = { action, entry, locale, before: was, after: { ...after }, isAlong: true };
  work.use(EntryRepository).note(record);
  work.emit(entryEvent(before === null ? 'created' : 'updated', after, changedFields));
}

/** Writes prepared blocks, with one statement for the new and one for the changed ones. */
export async function writeBlocks(
  work: UnitOfWork,
  catalog: Catalog,
  changes: readonly BlockChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const entries = work.use(EntryBatchRepository);
  const made = changes.filter(({ before }) => before === null);
  const changed = changes.filter(({ before }) => before !== null);
  const prepare = (change: BlockChange) => prepareContent(catalog, contentChange(catalog, change));
  entries.insertAll(made.map((change) => prepare(change).change));
  const prepared = changed.map(prepare);
  const saved = await entries.saveAll(prepared.map(({ change }) => change));
  await work.use(EntryStateRepository).enter(prepared.flatMap(({ returning }) => returning));
  const settled = new Map<string, StoredEntry>();
  for (const { change, returning } of prepared) {
    const written = saved.get(change.entry.id) ?? { entry: change.entry, anchored: null };
    settled.set(change.entry.id, settleContent(work, catalog, { saved: written, returning }));
  }
  // A block that is contained in another one is noted before it.
  for (const change of [...changes].reverse())
    noteBlock(work, catalog, { change, entry: settled.get(change.after.id) ?? change.after });
}
