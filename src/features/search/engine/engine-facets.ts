import { FACET_VALUES, type FacetCount, type SearchFacet, type SystemFacet } from '../search-index.js';
import type { Clause } from './engine-match.js';
import { valueKey } from './engine-values.js';

/** Types, sites and states together. */
const PLACES = 10_000;

const systemFields: Readonly<Record<Exclude<SystemFacet, 'workflowState'>, string>> = {
  contentType: 'contentTypeId',
  site: 'siteId',
  locale: 'locale',
  status: 'status',
  assignee: 'assigneeId',
};

const counted = (field: string): Clause => ({ terms: { field, size: FACET_VALUES } });

/** Texts of a field, and the names of its numbers and booleans. */
const namesOf = (place: number, form: 's' | 'f'): string => `${String(place)}${form}`;

/** Aggregations of facets. */
export function facetClauses(facets: readonly SearchFacet[]): Readonly<Record<string, Clause>> {
  const clauses = facets.flatMap((facet, place): [string, Clause][] => {
    if ('apiName' in facet)
      return (['s', 'f'] as const).map((form) => [
        namesOf(place, form),
        counted(valueKey(form, facet.apiName)),
      ]);
    if (facet.name !== 'workflowState') return [[String(place), counted(systemFields[facet.name])]];
    const keys = ['contentTypeId', 'siteId', 'workflowState'];
    return [[String(place), { multi_terms: { terms: keys.map((field) => ({ field })), size: PLACES } }]];
  });
  return Object.fromEntries(clauses);
}

interface Bucket {
  readonly key: string | readonly string[];
  readonly doc_count: number;
}

export type Aggregations = Readonly<Record<string, { readonly buckets: readonly Bucket[] }>>;

function countOf({ key, doc_count: count }: Bucket): FacetCount {
  if (typeof key === 'string') return { value: key, count };
  const [contentTypeId = '', siteId = '', value = ''] = key;
  return { value, count, contentTypeId, siteId };
}

/** Counts by value, one list for each facet. */
export const facetCounts = (facets: readonly SearchFacet[], found: Aggregations): FacetCount[][] =>
  facets.map((facet, place) => {
    const names = 'apiName' in facet ? [namesOf(place, 's'), namesOf(place, 'f')] : [String(place)];
    return names.flatMap((name) => (found[name]?.buckets ?? []).map(countOf));
  });
