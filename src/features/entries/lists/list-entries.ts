import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Entry } from '../../../../contracts/resources/entry.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { EntryTreeRepository } from '../../tree/index.js';
import { applyView } from '../../views/index.js';
import { resolveLocale, resolveSiteIds, resolveTypeIds } from './entry-filters.js';
import { EntryListRepository } from './entry-list.repository.js';
import { presentEntry } from '../entry.presenter.js';

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export async function listEntries(
  work: UnitOfWork,
  given: InputOf<typeof entries.list>,
): Promise<{ data: Entry[]; meta: PageMeta }> {
  const input = await applyView(work, 'entries', given);
  const catalog = await work.use(CatalogRepository).current();
  const { items, total } = await work.use(EntryListRepository).list({
    contentTypeIds: resolveTypeIds(catalog, input.contentTypeApiName),
    siteIds: resolveSiteIds(catalog, input.siteId),
    treeParentIds: await work.use(EntryTreeRepository).nodeIds(input.treeParentId),
    locale: resolveLocale(catalog, input.locale),
    statuses: input.status ?? null,
    titleContains: input.q ?? null,
    createdBy: input.createdBy ?? null,
    updatedBy: input.updatedBy ?? null,
    updatedAfter: timeOf(input.updatedAfter),
    updatedBefore: timeOf(input.updatedBefore),
    hasSchedule: input.hasSchedule ?? null,
    isDeleted: input.deleted ?? false,
    orderBy: input.orderBy ?? 'updatedAt:desc',
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  return listEnvelope(
    { items: items.map((entry) => presentEntry(entry, entry.shownLocale, catalog)), total },
    input,
  );
}
