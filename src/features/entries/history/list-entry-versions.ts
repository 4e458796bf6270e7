import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryVersion } from '../../../../contracts/resources/entry-version.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository } from '../history.repository.js';
import { presentVersion } from './version.presenter.js';

export async function listEntryVersions(
  work: UnitOfWork,
  input: InputOf<typeof entries.listVersions>,
): Promise<{ data: EntryVersion[]; meta: PageMeta }> {
  const { id } = await work.use(EntryRepository).find(input.id, input.deleted);
  const { items, total } = await work.use(HistoryRepository).list(id, {
    direction: input.orderBy === 'createdAt:asc' ? 'asc' : 'desc',
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  return listEnvelope({ items: items.map(presentVersion), total }, input);
}
