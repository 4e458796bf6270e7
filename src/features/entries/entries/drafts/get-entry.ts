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
import { showFallbacks } from '../../../../content/field-fallback.js';
import { localeOf, valuesOf, type StoredEntry } from '../stored-entry.js';
import { typeOf } from './draft-state.js';

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

/**
 * The written locales of the fallback chain, the one that is served first; the requested one if the entry has none.
 * Fallbacks are read only where fields fall back.
 */
function servedLocales(
  catalog: Catalog,
  entry: StoredEntry,
  requested: string | undefined,
): [string, ...string[]] {
  const site = siteOf(catalog, entry);
  const locale = localeFor(catalog, entry, requested);
  const chain = catalog.localeChain(locale).filter((code) => site.locales.includes(code));
  const [served = locale, ...fallbacks] = chain.filter((code) => localeOf(entry, code) !== undefined);
  return [served, ...(catalog.typesWithFallback.length > 0 ? fallbacks : [])];
}

/** Draft values in delivery shape, with locale fallback (rule mcp/tools). */
export async function getEntryValues(
  work: UnitOfWork,
  input: InputOf<typeof entries.getValues>,
): Promise<{ data: EntryValues }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const found = await entries.find(input.id, valuesIn(input.locale));
  const [locale, ...fallbacks] = servedLocales(catalog, found, input.locale);
  const read = await entries.complete([locale, ...fallbacks].map((code) => ({ entry: found, locale: code })));
  const [entry = found] = read;
  const type = typeOf(catalog, entry);
  const { fields } = type;
  const unknown = input.fields?.find((name) => !fields.some(({ apiName }) => apiName === name));
  if (unknown !== undefined) throw new AppError('field_not_found', { path: ['fields'], field: unknown });
  const wanted =
    input.fields === undefined ? fields : fields.filter(({ apiName }) => input.fields?.includes(apiName));
  const others = fallbacks.map((code, index) => valuesOf(read[index + 1] ?? entry, code));
  const values = showFallbacks(catalog, type, { values: valuesOf(entry, locale), fallbacks: others });
  return { data: { id: entry.id, locale, fields: deliverFields(wanted, values) } };
}
