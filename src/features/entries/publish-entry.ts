import type { publishEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Entry } from '../../../contracts/resources/entry.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { localeFor, siteOf } from './entry.policy.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { onlyApplied, type LocaleTarget } from './locale-targets.js';
import { assertAllApplied, unpublishedDependencies } from './publish-dependencies.js';
import { publishLocales } from './publish-locales.js';

type Input = InputOf<typeof contract>;

/** What must be published along for the entry to be seen whole. */
async function dependenciesOf(
  work: UnitOfWork,
  catalog: Catalog,
  { id, locale }: Input,
): Promise<LocaleTarget[]> {
  const entry = await work.use(EntryRepository).find(id);
  const root = { entry, locale: localeFor(catalog, siteOf(catalog, entry), locale) };
  return unpublishedDependencies(work, catalog, root);
}

/** Publishes the draft of one locale. What is live already stays as it is. */
export async function publishEntry(work: UnitOfWork, input: Input): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const targets = [input, ...(input.withDependencies ? await dependenciesOf(work, catalog, input) : [])];
  const outcomes = await publishLocales(work, catalog, targets);
  assertAllApplied(outcomes);
  const { locale, before, after, isChanged } = onlyApplied(outcomes);
  const data = presentEntry(after, locale, catalog);
  const publishedAlong = outcomes.slice(1).map(({ id }) => id);
  if (!isChanged && publishedAlong.length === 0) return { data };
  const was = presentEntry(before, locale, catalog);
  work.use(EntryRepository).note({
    action: 'entry.publish',
    entry: after,
    locale,
    before: { ...was },
    after: { ...data, ...(publishedAlong.length > 0 && { publishedAlong }) },
  });
  return { data };
}
