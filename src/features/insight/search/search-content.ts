import { listEnvelope, type Page, type PageMeta } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { FoundEntry } from '../../../../contracts/entries/entries/entry.js';
import type { z } from 'zod';
import type { Catalog } from '../../../content/catalog.js';
import { statusOf } from '../../../content/entry-state.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  EntryListRepository,
  localeOf,
  resolveLocale,
  resolveSiteIds,
  resolveTypeIds,
} from '../../entries/entries/index.js';
import { FoundDraftRepository } from './search.repository.js';
import { draftSearch, isFruitless } from './search-index.js';
import type { SearchServices } from './query-vectors.js';

type Input = InputOf<typeof entries.search>;
type Found = z.infer<typeof FoundEntry>;

const asList = (value: string | undefined): string[] | undefined =>
  value === undefined ? undefined : [value];

/** What a list of entries and a search both filter by. */
const filtersOf = (catalog: Catalog, input: Input) => ({
  contentTypeIds: resolveTypeIds(catalog, asList(input.contentTypeApiName)),
  siteIds: resolveSiteIds(catalog, asList(input.siteId)),
  states: null,
  assigneeIds: null,
  statuses: input.status === undefined ? null : [input.status],
  createdBy: null,
  updatedBy: null,
  updatedAfter: null,
  updatedBefore: null,
  limit: input.limit,
  offset: (input.page - 1) * input.limit,
});

const apiNameOf = (catalog: Catalog, id: string): string => catalog.contentTypeById(id)?.apiName ?? '';

async function listed(work: UnitOfWork, catalog: Catalog, input: Input): Promise<Page<Found>> {
  const filters = filtersOf(catalog, input);
  const { items, total } = await work.use(EntryListRepository).list({
    ...filters,
    treeParentIds: null,
    externalIds: null,
    hasSchedule: null,
    titleContains: null,
    locale: resolveLocale(catalog, input.locale),
    forAll: catalog.typesForAllAmong(filters.contentTypeIds),
    isDeleted: false,
    conditions: [],
    orderBy: 'updatedAt:desc',
  });
  const found = items.map((entry): Found => {
    const state = localeOf(entry, entry.shownLocale);
    return {
      id: entry.id,
      contentTypeApiName: apiNameOf(catalog, entry.contentTypeId),
      siteId: entry.siteId,
      locale: entry.shownLocale,
      slug: state?.slug ?? entry.id,
      title: state?.title ?? entry.id,
      status: state === undefined ? 'draft' : statusOf(state, entry.sharedHash),
      updatedAt: entry.updatedAt.toISOString(),
    };
  });
  return { items: found, total };
}

async function searched(
  work: UnitOfWork,
  catalog: Catalog,
  { input, services }: { readonly input: Input; readonly services: SearchServices },
): Promise<Page<Found>> {
  const locale = resolveLocale(catalog, input.locale);
  const filters = filtersOf(catalog, input);
  const forAll = catalog.typesForAllAmong(filters.contentTypeIds);
  const query = {
    ...filters,
    stage: 'draft',
    isChain: false,
    forAll,
    q: input.query ?? '',
    settings: catalog.data.searchSettings,
    languages: locale === null || forAll.length > 0 ? catalog.data.locales.map(({ code }) => code) : [locale],
    locales: locale === null ? null : [locale],
    conditions: [],
    sort: null,
    facets: [],
    isGrouped: false,
  } as const;
  const { hits, total } = await services.index.search(work, query);
  if (isFruitless(query, total)) services.empty.record(work.scope, draftSearch(query));
  const drafts = await work.use(FoundDraftRepository).of(hits, false);
  const items = drafts.map(({ entryId, contentTypeId, updatedAt, fields: _fields, ...draft }): Found => ({
    id: entryId,
    contentTypeApiName: apiNameOf(catalog, contentTypeId),
    ...draft,
    updatedAt: updatedAt.toISOString(),
  }));
  return { items, total };
}

/** Finds entries for agents, without content: by a query each locale that has its words, else the last updated. */
export async function searchContent(
  work: UnitOfWork,
  input: Input,
  services: SearchServices,
): Promise<{ data: Found[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const found =
    input.query === undefined
      ? await listed(work, catalog, input)
      : await searched(work, catalog, { input, services });
  return listEnvelope(found, input);
}
