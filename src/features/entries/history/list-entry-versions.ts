import type { ListMeta } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryVersion } from '../../../../contracts/resources/entry-version.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { openPage } from '../../shared/index.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository } from '../history.repository.js';
import { noValues } from '../read-values.js';
import { presentVersion } from './version.presenter.js';

export async function listEntryVersions(
  work: UnitOfWork,
  input: InputOf<typeof entries.listVersions>,
): Promise<{ data: EntryVersion[]; meta: ListMeta }> {
  const { id } = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const page = openPage(input, { name: 'versions', scope: work.scope });
  const isAscending = input.orderBy === 'createdAt:asc';
  const found = await work.use(HistoryRepository).list(id, { isAscending, ...page.window });
  return page.envelope({ ...found, items: found.items.map(presentVersion) });
}
