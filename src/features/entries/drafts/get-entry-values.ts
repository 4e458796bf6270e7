import { AppError } from '../../../../contracts/errors.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { deliverFields } from '../../../content/deliver-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { localeFor, siteOf } from '../access/entry.policy.js';
import { EntryRepository } from '../entry.repository.js';
import { localeOf } from '../stored-entry.js';

interface EntryValues {
  id: string;
  locale: string;
  fields: Record<string, unknown>;
}

/** Draft values in delivery shape. */
export async function getEntryValues(
  work: UnitOfWork,
  input: InputOf<typeof entries.getValues>,
): Promise<{ data: EntryValues }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.id);
  const locale = localeFor(catalog, siteOf(catalog, entry), input.locale);
  const fields = catalog.contentTypeById(entry.contentTypeId)?.fields ?? [];
  const unknown = input.fields?.find((name) => !fields.some(({ apiName }) => apiName === name));
  if (unknown !== undefined) throw new AppError('field_not_found', { path: ['fields'], field: unknown });
  const wanted =
    input.fields === undefined ? fields : fields.filter(({ apiName }) => input.fields?.includes(apiName));
  const values = { ...entry.sharedFields, ...localeOf(entry, locale)?.fields };
  return { data: { id: entry.id, locale, fields: deliverFields(wanted, values) } };
}
