import type { Deleted } from '../../../contracts/envelopes.js';
import type { deleteEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertSiteWritable } from '../shared/index.js';
import { entryEvent } from './entry.events.js';
import { assertVersion, referrersUnlessRestricted } from './entry.policy.js';
import { presentEntry, shownLocale } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { PublicationRepository } from './publication.repository.js';
import { offline } from './unpublish-entry.js';

/** The answer of a deletion, with a warning where others still refer to the entry. */
interface Answer {
  data: Deleted;
  meta?: { warnings: { code: string; message: string }[] };
}

/** Soft-deletes an entry: off every locale, out of every list, its slugs free, its versions kept. */
export async function deleteEntry(work: UnitOfWork, input: InputOf<typeof contract>): Promise<Answer> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const before = await entries.lockForRemoval(input.id);
  assertSiteWritable(work.scope, before.siteId, { resource: 'entries', action: 'delete' });
  assertVersion(before, input.version);
  const referrers = await referrersUnlessRestricted(work, catalog, before.id);
  const publications = work.use(PublicationRepository);
  await publications.unpublish(
    before.id,
    before.locales.map(({ locale }) => locale),
  );
  await publications.softDelete(before.id, work.now, work.scope.actor);
  const after = {
    ...before,
    deletedAt: work.now,
    updatedAt: work.now,
    updatedBy: work.scope.actor,
    locales: before.locales.map(offline),
  };
  const locale = shownLocale(before, catalog);
  const data = presentEntry(after, locale, catalog);
  entries.note({
    action: 'entry.delete',
    entry: after,
    locale,
    before: { ...presentEntry(before, locale, catalog) },
    after: { ...data },
  });
  work.emit(entryEvent('deleted', data));
  const answer: Answer = { data: { id: before.id, deleted: true } };
  if (referrers === 0) return answer;
  const message = `${String(referrers)} ${referrers === 1 ? 'entry refers' : 'entries refer'} to the deleted one.`;
  return { ...answer, meta: { warnings: [{ code: 'still_referenced', message }] } };
}
