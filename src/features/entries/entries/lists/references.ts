import { listEnvelope, type PageMeta } from '../../../../../contracts/envelopes.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { EntryReference } from '../../../../../contracts/entries/entries/entry-reference.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import { ReferenceListRepository } from './reference-list.repository.js';

export async function listEntryReferences(
  work: UnitOfWork,
  input: InputOf<typeof entries.listReferences>,
): Promise<{ data: EntryReference[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { id } = await work.use(EntryRepository).find(input.id, noValues);
  const { items, total } = await work
    .use(ReferenceListRepository)
    .list(id, { limit: input.limit, offset: (input.page - 1) * input.limit });
  const references = items.map(({ contentTypeId, fieldId, ...reference }) => {
    const type = catalog.contentTypeById(contentTypeId);
    return {
      ...reference,
      contentTypeApiName: type?.apiName ?? '',
      fieldApiName: catalog.fieldById(fieldId)?.apiName ?? '',
    };
  });
  return listEnvelope({ items: references, total }, input);
}
