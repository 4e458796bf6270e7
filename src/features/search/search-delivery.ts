import type { deliveryReads } from '../../../contracts/delivery/delivery.contract.js';
import type { graphqlReads } from '../../../contracts/delivery/graphql.contract.js';
import { listEnvelope } from '../../../contracts/envelopes.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { ReadOrigin } from '../../../contracts/resources/content-entry.js';
import type { FoundContent, SearchHit, SiteSearchMeta } from '../../../contracts/resources/search-hit.js';
import { expandDocuments, pathReader, presentContent, selectFields } from '../delivery/index.js';
import { searchSite } from './search-site.js';
import type { SiteSearch } from './site-search.js';

/** Finds the published entries of a site (decisions 3.7). */
export async function searchDelivery(
  search: SiteSearch,
  input: InputOf<typeof deliveryReads.searchContent>,
): Promise<{ data: SearchHit[]; meta: SiteSearchMeta }> {
  const { read } = search;
  const { catalog, source, trace, media } = read;
  const query = { ...input, offset: (input.page - 1) * input.limit };
  const { items, total, locales, facets } = await searchSite(search, query);
  const { entries, documents } = await expandDocuments(
    items.map(({ document }) => document),
    {
      source,
      catalog,
      media,
      expansion: { hops: Math.min(input.include, read.maxReferenceDepth), locales },
      readPaths: input.paths ? pathReader(read, locales) : undefined,
    },
  );
  trace.addDocuments(documents, catalog);
  const hits = entries.map((entry, place): SearchHit => {
    const { title = '', score = 0, highlights } = items[place] ?? {};
    return { entry: selectFields(entry, input.fields), title, score, ...(highlights && { highlights }) };
  });
  const { data, meta } = listEnvelope({ items: hits, total }, input);
  return { data, meta: { ...meta, ...(facets && { facets }) } };
}

interface FoundContents {
  readonly data: FoundContent[];
  readonly meta: ReadOrigin & Pick<SiteSearchMeta, 'facets' | 'total' | 'limit'> & { readonly skip: number };
}

/** As {@link searchDelivery}, in the shape of a collection. */
export async function searchForGraphql(
  search: SiteSearch,
  input: InputOf<typeof graphqlReads.search>,
): Promise<FoundContents> {
  const { catalog, source } = search.read;
  const { skip, limit, contentTypeApiName: type } = input;
  const query = { ...input, offset: skip, contentTypeApiName: type === undefined ? undefined : [type] };
  const { items, total, locales, facets } = await searchSite(search, query);
  const data = items.flatMap(({ document, ...hit }) => {
    const entry = presentContent(document, catalog);
    return entry === null ? [] : [{ entry, ...hit }];
  });
  const { isPreview } = source;
  return { data, meta: { isPreview, locales, total, skip, limit, ...(facets && { facets }) } };
}
