import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { DraftDocuments, DraftRepository, expandValues } from '../../delivery/index.js';
import { localeFor, siteOf } from '../access/entry.policy.js';
import { presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesIn } from '../read-values.js';

/** References expand to drafts in delivery shape. */
export async function getEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.get>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.id, valuesIn(input.locale), input.deleted);
  const locale =
    input.locale === undefined
      ? shownLocale(entry, catalog)
      : localeFor(catalog, siteOf(catalog, entry), input.locale);
  const data = presentEntry(entry, locale, catalog);
  if (input.include === 0) return { data };
  const source = new DraftDocuments((read) => read(work.use(DraftRepository)), catalog);
  const expansion = { hops: input.include, locales: catalog.localeChain(locale) };
  const root = { id: entry.id, contentTypeId: entry.contentTypeId, fields: data.fields };
  return { data: { ...data, fields: await expandValues(root, { source, catalog, expansion }) } };
}
