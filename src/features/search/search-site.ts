import type { Catalog, SiteDefinition } from '../../content/catalog.js';
import { fieldTexts } from '../../content/search/search-document.js';
import { titleFieldOf } from '../../content/title-field.js';
import { purgeTags } from '../../infrastructure/cache-tags.js';
import {
  assertFields,
  assertNoFieldParameters,
  conditionsOf,
  localesOf,
  siteOf,
  type StoredDocument,
} from '../delivery/index.js';
import { resolveTypeIds } from '../entries/index.js';
import { presentFacets } from './facet-counts.js';
import { highlightTexts } from './highlight-texts.js';
import type { SearchQuery } from './search-index.js';
import { facetsOf, sortOf, typeOfFields } from './search-options.js';
import type { SiteQuery, SiteSearch } from './site-search.js';

/** An entry that was found, in the locale served. */
interface FoundDocument {
  readonly document: StoredDocument;
  readonly title: string;
  readonly score: number;
  /** Set if requested. */
  readonly highlights?: Record<string, string[]>;
}

export interface SiteFound {
  readonly items: readonly FoundDocument[];
  readonly total: number;
  readonly locales: readonly string[];
  /** Set if requested. */
  readonly facets?: Record<string, Record<string, number>>;
}

interface Place {
  readonly site: SiteDefinition;
  readonly locales: readonly string[];
  readonly isPreview: boolean;
}

/** @throws AppError 404, 422 */
function queryOf(catalog: Catalog, input: SiteQuery, { site, locales, isPreview }: Place): SearchQuery {
  const typeFor = (...path: string[]) => typeOfFields(catalog, input.contentTypeApiName, path);
  const fieldOf = (at: string) => (name: string) =>
    typeFor(at).fields.find(({ apiName }) => apiName === name);
  const hasFilter = input.filter !== undefined && Object.keys(input.filter).length > 0;
  if (input.fields !== undefined) assertFields(typeFor('fields'), input.fields);
  return {
    stage: isPreview ? 'draft' : 'live',
    q: input.q ?? '',
    languages: locales,
    locales,
    isChain: true,
    contentTypeIds: resolveTypeIds(catalog, input.contentTypeApiName),
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
    limit: input.limit,
    offset: input.offset,
  };
}

/** Results change with the index of the site, and with what is published of the types searched. */
function traceQuery(
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

function textsOf({ contentTypeId, fields, locale, slug }: StoredDocument, catalog: Catalog) {
  const type = catalog.contentTypeById(contentTypeId);
  const titleField = type === undefined ? null : titleFieldOf(type);
  const value = titleField === null ? null : fields[titleField];
  const title = typeof value === 'string' ? value : slug;
  const others = type === undefined ? [] : fieldTexts(type.fields, fields, titleField);
  return { locale, title, texts: [{ field: 'title', text: title, weight: 'A' as const }, ...others] };
}

/**
 * Finds entries of a site in the locales in which it serves them (decisions 3.7).
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`; 422; 503 `search_unavailable`
 */
export async function searchSite(search: SiteSearch, input: SiteQuery): Promise<SiteFound> {
  const { read, services, inUnit } = search;
  const { catalog, source } = read;
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(catalog, site, input.locale);
  if (read.unknownParameters !== undefined && input.contentTypeApiName?.length === 1)
    assertNoFieldParameters(typeOfFields(catalog, input.contentTypeApiName, []), read.unknownParameters);
  const query = queryOf(catalog, input, { site, locales, isPreview: source.isPreview });
  traceQuery(search, query, site);
  const { hits, total, facets } = await inUnit((work) => services.index.search(work, query));
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
    return document === undefined ? [] : [{ document, score, ...textsOf(document, catalog) }];
  });
  const isHighlighted = input.highlight && query.q !== '' && found.length > 0;
  const asked = { q: query.q, languages: locales, vocabulary: services.index.vocabulary };
  const highlights = isHighlighted
    ? await inUnit((work) => highlightTexts(work, asked, { lexicon: services.lexicon, results: found }))
    : [];
  const items = found.map(({ document, title, score }, place): FoundDocument => ({
    document,
    title,
    score,
    ...(isHighlighted && { highlights: highlights[place] ?? {} }),
  }));
  const counted = query.facets.length > 0 && { facets: presentFacets(catalog, query.facets, facets) };
  return { items, total, locales, ...counted };
}
