import { limits } from '../../../../contracts/limits.js';
import type { SearchMeta, SearchResult } from '../../../../contracts/insight/search/search.js';
import { listEnvelope } from '../../../../contracts/envelopes.js';
import type { search } from '../../../../contracts/insight/search/search.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { withGroups } from '../../../content/blocks/value-parts.js';
import type { Catalog } from '../../../content/catalog.js';
import { entryTexts } from '../../../content/search/search-document.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import { publicPath } from '../../../content/route-path.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  assertFields,
  conditionsOf,
  whereConditions,
  type Condition,
} from '../../publishing/delivery/index.js';
import {
  draftTargets,
  resolveLocale,
  resolveSiteIds,
  resolveStates,
  resolveTypeIds,
  typeOfFields,
} from '../../entries/entries/index.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import { draftSearch, isFruitless, type HitKey, type SearchQuery } from './search-index.js';
import { FoundDraftRepository, type FoundDraft } from './search.repository.js';
import { countsOf, highlightTexts, facetsOf, sortOf } from './search-results.js';
import { type Meaning, meaningOf, searchByMeaning, type SearchServices } from './query-vectors.js';

const keyOf = ({ entryId, locale }: HitKey): string => `${entryId} ${locale}`;

type SearchEntriesInput = InputOf<typeof search.find>;

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

/** @throws AppError 404, 422 */
export function queryOf(
  catalog: Catalog,
  input: Partial<SearchEntriesInput> & Pick<SearchEntriesInput, 'page' | 'limit'>,
): SearchQuery {
  const typeFor = (...path: string[]) => typeOfFields(catalog, input.contentTypeApiName, path);
  const fieldOf = (at: string) => (name: string) =>
    typeFor(at).fields.find(({ apiName }) => apiName === name);
  const locales = input.locale?.map((locale) => resolveLocale(catalog, locale) ?? locale) ?? null;
  const hasFilter = input.filter !== undefined && Object.keys(input.filter).length > 0;
  const contentTypeIds = resolveTypeIds(catalog, input.contentTypeApiName);
  assertFields(catalog.typesAmong(contentTypeIds), input.fields);
  const forAll = catalog.typesForAllAmong(contentTypeIds);
  return {
    stage: 'draft',
    isChain: false,
    q: input.q ?? '',
    settings: catalog.data.searchSettings,
    languages:
      forAll.length === 0 && locales !== null ? locales : catalog.data.locales.map(({ code }) => code),
    locales,
    forAll,
    contentTypeIds,
    siteIds: resolveSiteIds(catalog, input.siteId),
    statuses: input.status ?? null,
    states: resolveStates(catalog, input.workflowState),
    assigneeIds: input.assigneeId ?? null,
    createdBy: input.createdBy ?? null,
    updatedBy: input.updatedBy ?? null,
    updatedAfter: timeOf(input.updatedAfter),
    updatedBefore: timeOf(input.updatedBefore),
    conditions: hasFilter ? conditionsOf(typeFor('filter'), input.filter) : [],
    sort: sortOf(input.sort, fieldOf('sort')),
    facets: facetsOf(input.facets, fieldOf('facets')),
    isGrouped: input.group === 'entry',
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  };
}

/** What references refer to is compared in the locale searched, if it is one, else in that of each site. */
function whereOf(
  work: UnitOfWork,
  catalog: Catalog,
  input: SearchEntriesInput,
): Promise<readonly Condition[]> {
  const { where, contentTypeApiName, locale: [locale, ...others] = [] } = input;
  const type = () => typeOfFields(catalog, contentTypeApiName, ['where']);
  const one = others.length === 0 ? resolveLocale(catalog, locale) : null;
  return whereConditions(where, { catalog, type }, draftTargets(work, catalog, one));
}

export function draftTexts(draft: FoundDraft, catalog: Catalog) {
  const type = catalog.contentTypeById(draft.contentTypeId);
  const titleField = type === undefined ? null : titleFieldOf(type);
  const texts = type === undefined ? [] : entryTexts(catalog, type, { values: draft.fields, titleField });
  return {
    locale: draft.locale,
    texts: [{ field: 'title', text: draft.title, weight: 'A' as const }, ...texts],
  };
}

/** Of the fields that the type has, as clients see them. */
function chosenValues(
  { contentTypeId, fields }: FoundDraft,
  catalog: Catalog,
  names: readonly string[],
): Record<string, unknown> {
  const type = catalog.contentTypeById(contentTypeId);
  if (type === undefined) return {};
  const shown = withGroups(catalog, type, fields);
  const chosen = names.filter((name) => type.fields.some(({ apiName }) => apiName === name));
  return Object.fromEntries(chosen.map((name) => [name, shown[name] ?? null]));
}

function presentDraft(draft: FoundDraft, catalog: Catalog): Omit<SearchResult, 'score'> {
  const { entryId, siteId, locale, title, slug, status, contentTypeId, updatedAt } = draft;
  const contentTypeApiName = catalog.contentTypeById(contentTypeId)?.apiName ?? '';
  return {
    entryId,
    contentTypeApiName,
    siteId,
    locale,
    title,
    slug,
    status,
    updatedAt: updatedAt.toISOString(),
  };
}

/** Locales in which a search shows other entries, the best first; empty for those of their sites. */
const chainOf = (catalog: Catalog, { locales }: SearchQuery): readonly string[] =>
  locales?.length === 1 ? catalog.localeChain(locales[0] ?? '') : [];

/** Public paths that drafts will have once they are published; null outside the trees. */
async function readPaths(work: UnitOfWork, catalog: Catalog, drafts: readonly FoundDraft[]) {
  const paths = await work.use(EntryTreeRepository).draftPaths(drafts);
  return (draft: FoundDraft): string | null => {
    const site = catalog.site(draft.siteId);
    const path = paths.get(keyOf(draft));
    return site === undefined || path === undefined ? null : publicPath(site, draft.locale, path);
  };
}

/** A search of drafts: the index is read in a unit of work. */
export interface EntrySearch {
  readonly services: SearchServices;
  inUnit<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

/** Finds drafts (rules search/drafts and search/meaning). The embedding server is asked outside of any transaction. */
export async function searchEntries(
  { services, inUnit }: EntrySearch,
  input: SearchEntriesInput,
): Promise<{ data: SearchResult[]; meta: SearchMeta }> {
  const took = services.elapsed();
  const meaning = await meaningOf(input, services);
  return inUnit((work) => findEntries(work, input, { ...services, meaning, took }));
}

async function findEntries(
  work: UnitOfWork,
  input: SearchEntriesInput,
  {
    index,
    lexicon,
    empty,
    meaning,
    took,
  }: SearchServices & { readonly meaning: Meaning | undefined; took(): number },
): Promise<{ data: SearchResult[]; meta: SearchMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const listed = queryOf(catalog, input);
  const query = { ...listed, conditions: [...listed.conditions, ...(await whereOf(work, catalog, input))] };
  const { hits, total, facets, suggestion } =
    meaning === undefined
      ? await index.search(work, query)
      : await searchByMeaning(work, query, { index, meaning });
  if (isFruitless(query, total)) empty.record(work.scope, draftSearch(query));
  const isHighlighted = input.highlight && query.q !== '' && hits.length > 0;
  const drafts = await work.use(FoundDraftRepository).of(hits, isHighlighted || input.fields !== undefined);
  const highlights = isHighlighted
    ? await highlightTexts(work, query, {
        lexicon,
        results: drafts.map((draft) => draftTexts(draft, catalog)),
      })
    : [];
  const found = new Map(hits.map((hit) => [keyOf(hit), hit]));
  const pathOf = query.isGrouped ? await readPaths(work, catalog, drafts) : null;
  const items = drafts.map((draft, place): SearchResult => ({
    ...presentDraft(draft, catalog),
    score: found.get(keyOf(draft))?.score ?? 0,
    ...(pathOf && { locales: [...(found.get(keyOf(draft))?.locales ?? [])], path: pathOf(draft) }),
    ...(isHighlighted && { highlights: highlights[place] ?? {} }),
    ...(input.fields && {
      fields: chosenValues(draft, catalog, input.fields),
    }),
  }));
  const { data, meta } = listEnvelope({ items, total }, input);
  const counted = await countsOf(catalog, { facets: query.facets, counts: facets }, (ids) =>
    work.use(FoundDraftRepository).titles(ids, chainOf(catalog, query)),
  );
  const suggested = suggestion && { suggestion };
  return { data, meta: { ...meta, ...counted, ...suggested, provider: index.provider, tookMs: took() } };
}

type SearchForAgentsInput = InputOf<typeof search.tool>;

/** The first parts, whatever their fields. */
function fewParts(highlights: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const few: Record<string, string[]> = {};
  const parts = Object.entries(highlights).flatMap(([field, found]) =>
    found.map((part) => [field, part] as const),
  );
  for (const [field, part] of parts.slice(0, limits.searchToolHighlights)) (few[field] ??= []).push(part);
  return few;
}

const fewValues = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, limits.searchToolFacetValues),
  );

function fewCounts({ facets, facetTitles }: SearchMeta): Pick<SearchMeta, 'facets' | 'facetTitles'> {
  if (facets === undefined) return {};
  const few = Object.fromEntries(Object.entries(facets).map(([name, counts]) => [name, fewValues(counts)]));
  if (facetTitles === undefined) return { facets: few };
  const titles = Object.entries(facetTitles).map(([name, known]) => {
    const ofFew = Object.entries(known).filter(([id]) => few[name]?.[id] !== undefined);
    return [name, Object.fromEntries(ofFew)];
  });
  return { facets: few, facetTitles: Object.fromEntries(titles) as SearchMeta['facetTitles'] };
}

/** What {@link searchEntries} finds by words, within what an agent can read. */
export async function searchForAgents(
  search: EntrySearch,
  { query, ...input }: SearchForAgentsInput,
): Promise<{ data: SearchResult[]; meta: SearchMeta }> {
  const found = await searchEntries(search, { ...input, q: query, mode: 'keyword', highlight: true });
  const data = found.data.map(({ highlights, ...result }) => ({
    ...result,
    ...(highlights && { highlights: fewParts(highlights) }),
  }));
  return { data, meta: { ...found.meta, ...fewCounts(found.meta) } };
}
