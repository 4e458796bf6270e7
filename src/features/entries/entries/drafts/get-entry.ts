import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { DraftDocuments, DraftRepository, expandValues } from '../../../publishing/delivery/index.js';
import { localeFor } from '../access/entry-locale.js';
import { siteOf } from '../access/entry-rights.js';
import { presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesIn } from '../anchored-values.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { Catalog } from '../../../../content/catalog.js';
import { deliverFields } from '../../../../content/deliver-fields.js';
import { localeOf, valuesOf, type StoredEntry } from '../stored-entry.js';

/** References expand to drafts in delivery shape. */
export async function getEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.get>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const found = await entries.find(input.id, valuesIn(input.locale), input.deleted);
  const locale =
    input.locale === undefined ? shownLocale(found, catalog) : localeFor(catalog, found, input.locale);
  const [entry = found] = await entries.complete([{ entry: found, locale }]);
  const data = presentEntry(entry, locale, catalog);
  if (input.include === 0) return { data };
  const source = new DraftDocuments((read) => read(work.use(DraftRepository)), catalog);
  const expansion = { hops: input.include, locales: catalog.localeChain(input.locale ?? locale) };
  const root = { id: entry.id, contentTypeId: entry.contentTypeId, fields: data.fields };
  return { data: { ...data, fields: await expandValues(root, { source, catalog, expansion }) } };
}

interface EntryValues {
  id: string;
  locale: string;
  fields: Record<string, unknown>;
}

/** The first locale of the fallback chain that the entry has; the requested one if it has none. */
function servedLocale(catalog: Catalog, entry: StoredEntry, requested: string | undefined): string {
  const site = siteOf(catalog, entry);
  const locale = localeFor(catalog, entry, requested);
  const chain = catalog.localeChain(locale).filter((code) => site.locales.includes(code));
  return chain.find((code) => localeOf(entry, code) !== undefined) ?? locale;
}

/** Draft values in delivery shape, with locale fallback (rule mcp/tools). */
export async function getEntryValues(
  work: UnitOfWork,
  input: InputOf<typeof entries.getValues>,
): Promise<{ data: EntryValues }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const found = await entries.find(input.id, valuesIn(input.locale));
  const locale = servedLocale(catalog, found, input.locale);
  const [entry = found] = await entries.complete([{ entry: found, locale }]);
  const fields = catalog.contentTypeById(entry.contentTypeId)?.fields ?? [];
  const unknown = input.fields?.find((name) => !fields.some(({ apiName }) => apiName === name));
  if (unknown !== undefined) throw new AppError('field_not_found', { path: ['fields'], field: unknown });
  const wanted =
    input.fields === undefined ? fields : fields.filter(({ apiName }) => input.fields?.includes(apiName));
  const values = valuesOf(entry, locale);
  return { data: { id: entry.id, locale, fields: deliverFields(wanted, values) } };
}
