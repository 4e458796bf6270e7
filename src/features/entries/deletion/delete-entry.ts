import { withWarnings, type Deleted, type Warned, type Warning } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { deleteEntries, type Deletion } from './delete-entries.js';
import { changedParts, presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { isRefusal } from '../publication/locale-targets.js';

function warningsOf({ referrerCount: referrers, liftedCount: lifted }: Deletion): Warning[] {
  const warnings: Warning[] = [];
  if (referrers > 0) {
    const message = `${String(referrers)} ${referrers === 1 ? 'entry refers' : 'entries refer'} to the deleted one.`;
    warnings.push({ code: 'still_referenced', message });
  }
  if (lifted > 0) {
    const message = `${String(lifted)} tree ${lifted === 1 ? 'node' : 'nodes'} below it moved up in its place.`;
    warnings.push({ code: 'children_lifted', message });
  }
  return warnings;
}

/** Unpublishes every locale and frees the slugs; versions stay. */
export async function deleteEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.delete>,
): Promise<Warned<Deleted>> {
  const catalog = await work.use(CatalogRepository).current();
  const [deletion] = await deleteEntries(work, catalog, [input]);
  if (deletion === undefined) throw new Error('Deletion returned no outcome');
  if (isRefusal(deletion)) throw deletion.error;
  const { before, after, locale } = deletion;
  const was = presentEntry(before, locale, catalog);
  const { after: is } = changedParts(was, presentEntry(after, locale, catalog));
  work
    .use(EntryRepository)
    .note({ action: 'entry.delete', entry: after, locale, before: { ...was }, after: is });
  return withWarnings({ id: before.id, deleted: true }, warningsOf(deletion));
}
