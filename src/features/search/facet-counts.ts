import type { Catalog } from '../../content/catalog.js';
import type { FacetCount, SearchFacet } from './search-index.js';
import { facetName } from './search-options.js';

function valueOf(facet: SearchFacet, count: FacetCount, catalog: Catalog): string | undefined {
  if (!('name' in facet)) return count.value;
  if (facet.name === 'contentType') return catalog.contentTypeById(count.value)?.apiName;
  if (facet.name !== 'workflowState') return count.value;
  const { contentTypeId = '', siteId = '' } = count;
  const workflow = catalog.workflowOf({ contentTypeId, siteId });
  return workflow && (count.value === '' ? workflow.baseState : count.value);
}

/** Counts by facet and value, as they are returned. */
export function presentFacets(
  catalog: Catalog,
  facets: readonly SearchFacet[],
  counts: readonly (readonly FacetCount[])[],
): Record<string, Record<string, number>> {
  const presented = facets.map((facet, index) => {
    const totals = new Map<string, number>();
    for (const count of counts[index] ?? []) {
      const value = valueOf(facet, count, catalog);
      if (value !== undefined) totals.set(value, (totals.get(value) ?? 0) + count.count);
    }
    return [facetName(facet), Object.fromEntries(totals)] as const;
  });
  return Object.fromEntries(presented);
}
