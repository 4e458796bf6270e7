import {
  type DeliveryRead,
  type FilterInput,
  assertFields,
  assertNoFieldParameters,
  conditionsOf,
  localesOf,
  siteOf,
  targetsIn,
  whereConditions,
  type StoredDocument,
  presentContent,
  presentEntries,
} from '../../publishing/delivery/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { SearchServices } from './query-vectors.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { entryTexts } from '../../../content/search/search-document.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import { purgeTags } from '../../../infrastructure/cache-tags.js';
import { resolveTypeIds, typeOfFields } from '../../entries/entries/index.js';
import { countsOf, highlightTexts, facetsOf, sortOf } from './search-results.js';
import { isFruitless, type SearchQuery, type Suggestion } from './search-index.js';
import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import { listEnvelope } from '../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import type {
  FoundContent,
  SearchHit,
  SiteSearchMeta,
} from '../../../../contracts/publishing/delivery/search-hit.js';

/** A delivery read that searches: the index is read in units of work of the caller. */
export interface SiteSearch {
  readonly read: DeliveryRead;
  readonly services: SearchServices;
  inUnit<T>(run: (work: UnitOfWork) => Promise<T>): Promise<T>;
}

/** What to find on a site. */
interface SiteQuery {
  readonly siteSlug: string;
  readonly locale?: string | undefined;
  readonly q?: string | undefined;
  readonly contentTypeApiName?: readonly string[] | undefined;
  readonly filter?: FilterInput | undefined;
  readonly where?: string | undefined;
  readonly sort?: string | undefined;
  readonly facets?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly highlight?: boolean;
  readonly limit: number;
  readonly offset?: number;
}

/** An entry that was found, in the locale served. */
interface FoundDocument {
  readonly document: StoredDocument;
  readonly title: string;
  readonly score: number;
  /** Set if requested. */
  readonly highlights?: Record<string, string[]>;
}

interface SiteFound {
  readonly items: readonly FoundDocument[];
  readonly total: number;
  readonly locales: readonly string[];
  /** Set if requested. */
  readonly facets?: SiteSearchMeta['facets'];
  readonly facetTitles?: SiteSearchMeta['facetTitles'];
  readonly suggestion?: Suggestion;
}

interface SearchedPlace {
  readonly site: SiteDefinition;
  readonly locales: readonly string[];
  readonly isPreview: boolean;
}

/** @throws AppError 404, 422 */
function queryOf(
  catalog: Catalog,
  input: SiteQuery,
  { site, locales, isPreview }: SearchedPlace,
): SearchQuery {
  const typeFor = (...path: string[]) => typeOfFields(catalog, input.contentTypeApiName, path);
  const fieldOf = (at: string) => (name: string) =>
    typeFor(at).fields.find(({ apiName }) => apiName === name);
  const hasFilter = input.filter !== undefined && Object.keys(input.filter).length > 0;
  const contentTypeIds = resolveTypeIds(catalog, input.contentTypeApiName);
  assertFields(catalog.typesAmong(contentTypeIds), input.fields);
  const forAll = catalog.typesForAllAmong(contentTypeIds);
  return {
    stage: isPreview ? 'draft' : 'live',
    q: input.q ?? '',
    settings: catalog.data.searchSettings,
    languages: forAll.length === 0 ? locales : [...new Set([...locales, ...site.locales])],
    locales,
    isChain: true,
    forAll,
    contentTypeIds,
    siteIds: [site.id],
    statuses: null,
    states: null,
    assigneeIds: null,
    createdBy: null,
    updatedBy: null,
    updatedAfter: null,
    updatedBefore: null,
    conditions: hasFilter ? conditionsOf(typeFor('filter'), input.filter) : [],
    sort: sortOf(input.sort, fieldOf('sort')),
    facets: facetsOf(input.facets, fieldOf('facets'), ['contentType', 'locale']),
    // The chain leaves one locale of each entry.
    isGrouped: false,
    limit: input.limit,
    offset: input.offset ?? 0,
  };
}

/** @throws AppError 404, 422 */
export function placeOf(
  { read }: SiteSearch,
  input: SiteQuery,
): Omit<SearchedPlace, 'isPreview'> & { readonly query: SearchQuery } {
  const { catalog, source } = read;
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(catalog, site, input.locale);
  return { site, locales, query: queryOf(catalog, input, { site, locales, isPreview: source.isPreview }) };
}

/** Results change with the index of the site, and with what is published of the types searched. */
export function traceQuery(
  { read: { catalog, trace } }: SiteSearch,
  query: SearchQuery,
  site: SiteDefinition,
): void {
  trace.dependOn(purgeTags.search(site.id));
  const types = query.contentTypeIds ?? catalog.data.contentTypes.map(({ id }) => id);
  for (const id of types) trace.dependOn(purgeTags.siteList(id, site.id));
  for (const id of query.contentTypeIds ?? []) {
    const type = catalog.contentTypeById(id);
    if (type !== undefined) trace.addType(type.apiName);
  }
}

export function documentTexts(document: StoredDocument, catalog: Catalog) {
  const { contentTypeId, fields, locale, slug } = document;
  const type = catalog.contentTypeById(contentTypeId);
  const titleField = type === undefined ? null : titleFieldOf(type);
  const value = titleField === null ? null : fields[titleField];
  const title = typeof value === 'string' ? value : slug;
  const blockOf = (id: string) => document.ownBlocks?.get(id)?.fields;
  const others = type === undefined ? [] : entryTexts(catalog, type, { values: fields, titleField, blockOf });
  return { locale, title, texts: [{ field: 'title', text: title, weight: 'A' as const }, ...others] };
}

/** Titles of entries that facets count, as readers see them. */
async function readTitles(
  { source, catalog, trace }: DeliveryRead,
  ids: readonly string[],
  locales: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const documents = await source.byIds(ids, locales);
  trace.addDocuments(documents, catalog);
  trace.addEntries(ids);
  return new Map(documents.map((document) => [document.id, documentTexts(document, catalog).title]));
}

/** Searches of what will be published, or of drafts, are no searches of readers. */
function noteEmpty({ read, services }: SiteSearch, query: SearchQuery, [locale]: readonly string[]): void {
  const { catalog, source, trace } = read;
  if (source.isPreview || read.isFuture || read.preview !== undefined) return;
  trace.markUnstored();
  const { tenant, environment } = catalog.data;
  services.empty.record(
    { tenantId: tenant.id, environmentId: environment.id },
    { q: query.q, source: 'delivery', siteId: query.siteIds?.[0] ?? null, locale: locale ?? null },
  );
}

/**
 * Finds entries of a site in the locales in which it serves them (rule delivery/search).
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`; 422; 503 `search_unavailable`
 */
async function searchSite(search: SiteSearch, input: SiteQuery): Promise<SiteFound> {
  const { read, services, inUnit } = search;
  const { catalog, source } = read;
  const { site, locales, query: filtered } = placeOf(search, input);
  if (read.unknownParameters !== undefined && input.contentTypeApiName?.length === 1)
    assertNoFieldParameters(typeOfFields(catalog, input.contentTypeApiName, []), read.unknownParameters);
  const place = { catalog, type: () => typeOfFields(catalog, input.contentTypeApiName, ['where']) };
  const where = await whereConditions(input.where, place, targetsIn(read, locales));
  const query = { ...filtered, conditions: [...filtered.conditions, ...where] };
  traceQuery(search, query, site);
  const { hits, total, facets, suggestion } = await inUnit((work) => services.index.search(work, query));
  if (isFruitless(query, total)) noteEmpty(search, query, locales);
  const documents = new Map(
    (
      await source.byIds(
        hits.map(({ entryId }) => entryId),
        locales,
      )
    ).map((document) => [document.id, document]),
  );
  const found = hits.flatMap(({ entryId, score }) => {
    const document = documents.get(entryId);
    return document === undefined ? [] : [{ document, score, ...documentTexts(document, catalog) }];
  });
  const isHighlighted = input.highlight && query.q !== '' && found.length > 0;
  const highlights = isHighlighted
    ? await inUnit((work) => highlightTexts(work, query, { lexicon: services.lexicon, results: found }))
    : [];
  const items = found.map(({ document, title, score }, place): FoundDocument => ({
    document,
    title,
    score,
    ...(isHighlighted && { highlights: highlights[place] ?? {} }),
  }));
  const given = { facets: query.facets, counts: facets, served: locales[0] };
  const counted = await countsOf(catalog, given, (ids) => readTitles(read, ids, locales));
  return { items, total, locales, ...counted, ...(suggestion && { suggestion }) };
}

/** Finds the published entries of a site (rule delivery/search). */
export async function searchDelivery(
  search: SiteSearch,
  input: InputOf<typeof deliveryReads.searchContent>,
): Promise<{ data: SearchHit[]; meta: SiteSearchMeta }> {
  const { read } = search;
  const query = { ...input, offset: (input.page - 1) * input.limit };
  const { items, total, locales, ...counts } = await searchSite(search, query);
  const found = items.map(({ document }) => document);
  const entries = await presentEntries(read, { request: input, locales }, found);
  const hits = entries.map((entry, place): SearchHit => {
    const { title = '', score = 0, highlights } = items[place] ?? {};
    return { entry, title, score, ...(highlights && { highlights }) };
  });
  const { data, meta } = listEnvelope({ items: hits, total }, input);
  return { data, meta: { ...meta, ...counts } };
}

interface FoundContents {
  readonly data: FoundContent[];
  readonly meta: ReadOrigin &
    Pick<SiteSearchMeta, 'facets' | 'facetTitles' | 'suggestion' | 'total' | 'limit'> & {
      readonly skip: number;
    };
}

/** As {@link searchDelivery}, in the shape of a collection. */
export async function searchForGraphql(
  search: SiteSearch,
  input: InputOf<typeof graphqlReads.search>,
): Promise<FoundContents> {
  const { catalog, source } = search.read;
  const { skip, limit, contentTypeApiName: type } = input;
  const query = { ...input, offset: skip, contentTypeApiName: type === undefined ? undefined : [type] };
  const { items, total, locales, ...counts } = await searchSite(search, query);
  const data = items.flatMap(({ document, ...hit }) => {
    const entry = presentContent(document, catalog);
    return entry === null ? [] : [{ entry, ...hit }];
  });
  return { data, meta: { isPreview: source.isPreview, locales, total, skip, limit, ...counts } };
}
