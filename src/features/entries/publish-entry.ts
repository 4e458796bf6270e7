import type { publishEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Entry } from '../../../contracts/resources/entry.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { onlyApplied } from './locale-targets.js';
import { publishLocales } from './publish-locales.js';

/** Publishes the draft of one locale. What is live already stays as it is. */
export async function publishEntry(
  work: UnitOfWork,
  input: InputOf<typeof contract>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const outcome = onlyApplied(await publishLocales(work, catalog, [input]));
  const { locale, before, after, isChanged } = outcome;
  const data = presentEntry(after, locale, catalog);
  if (!isChanged) return { data };
  const was = presentEntry(before, locale, catalog);
  work.use(EntryRepository).note({
    action: 'entry.publish',
    entry: after,
    locale,
    before: { ...was },
    after: { ...data },
  });
  return { data };
}
