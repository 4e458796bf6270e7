import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { FoundEntry } from '../../../../contracts/resources/entry.js';
import type { z } from 'zod';
import { statusOf } from '../../../content/entry-state.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { resolveLocale, resolveSiteIds, resolveTypeIds } from './entry-filters.js';
import { EntryListRepository } from './entry-list.repository.js';
import { localeOf } from '../stored-entry.js';

/** Lists entries for agents, without content. */
export async function searchContent(
  work: UnitOfWork,
  input: InputOf<typeof entries.search>,
): Promise<{ data: z.infer<typeof FoundEntry>[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { items, total } = await work.use(EntryListRepository).list({
    contentTypeIds: resolveTypeIds(
      catalog,
      input.contentTypeApiName === undefined ? undefined : [input.contentTypeApiName],
    ),
    treeParentIds: null,
    hasSchedule: null,
    siteIds: resolveSiteIds(catalog, input.siteId === undefined ? undefined : [input.siteId]),
    locale: resolveLocale(catalog, input.locale),
    states: null,
    assigneeIds: null,
    statuses: input.status === undefined ? null : [input.status],
    titleContains: input.query ?? null,
    createdBy: null,
    updatedBy: null,
    updatedAfter: null,
    updatedBefore: null,
    isDeleted: false,
    orderBy: 'updatedAt:desc',
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  const found = items.map((entry) => {
    const state = localeOf(entry, entry.shownLocale);
    return {
      id: entry.id,
      contentTypeApiName: catalog.contentTypeById(entry.contentTypeId)?.apiName ?? '',
      siteId: entry.siteId,
      locale: entry.shownLocale,
      slug: state?.slug ?? entry.id,
      title: state?.title ?? entry.id,
      status: state === undefined ? ('draft' as const) : statusOf(state, entry.sharedHash),
      updatedAt: entry.updatedAt.toISOString(),
    };
  });
  return listEnvelope({ items: found, total }, input);
}
