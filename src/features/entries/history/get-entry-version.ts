import { AppError } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntrySnapshot } from '../../../../contracts/resources/entry-version.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { siteOf } from '../access/entry.policy.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository } from '../history.repository.js';
import { noValues } from '../read-values.js';
import { versionNumOf } from './version-num.js';
import { presentSnapshot } from './version.presenter.js';

export async function getEntryVersion(
  work: UnitOfWork,
  input: InputOf<typeof entries.getVersion>,
): Promise<{ data: EntrySnapshot }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const history = work.use(HistoryRepository);
  const versionNum = versionNumOf(input.versionNum);
  const version = await history.find(entry.id, versionNum);
  const snapshot = version && (await history.snapshotAt(entry.id, versionNum));
  if (version === undefined || snapshot === undefined) throw new AppError('version_not_found');
  return { data: presentSnapshot(version, snapshot, siteOf(catalog, entry).defaultLocale) };
}
