import type { Deleted } from '../../../contracts/envelopes.js';
import type { deleteEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { deleteEntries } from './delete-entries.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { isRefusal } from './locale-targets.js';

/** The answer of a deletion, with a warning where others still refer to the entry. */
interface Answer {
  data: Deleted;
  meta?: { warnings: { code: string; message: string }[] };
}

/** Soft-deletes an entry: off every locale, out of every list, its slugs free, its versions kept. */
export async function deleteEntry(work: UnitOfWork, input: InputOf<typeof contract>): Promise<Answer> {
  const catalog = await work.use(CatalogRepository).current();
  const [deletion] = await deleteEntries(work, catalog, [input]);
  if (deletion === undefined) throw new Error('a deletion without an outcome');
  if (isRefusal(deletion)) throw deletion.error;
  const { before, after, locale, referrerCount: referrers } = deletion;
  work.use(EntryRepository).note({
    action: 'entry.delete',
    entry: after,
    locale,
    before: { ...presentEntry(before, locale, catalog) },
    after: { ...presentEntry(after, locale, catalog) },
  });
  const answer: Answer = { data: { id: before.id, deleted: true } };
  if (referrers === 0) return answer;
  const message = `${String(referrers)} ${referrers === 1 ? 'entry refers' : 'entries refer'} to the deleted one.`;
  return { ...answer, meta: { warnings: [{ code: 'still_referenced', message }] } };
}
