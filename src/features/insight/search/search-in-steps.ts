import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';
import type { Demand } from './facet-sql.js';
import { planQuery, tolerant, type PlannedQuery, type Vocabulary } from './query-plan.js';
import type { SearchFound, SearchQuery } from './search-index.js';

interface Steps {
  readonly lexicon: Lexicon;
  readonly vocabulary: Vocabulary;
  /** @param plan null lists by filters only */
  find(plan: PlannedQuery | null, demand: Demand): Promise<SearchFound>;
}

/** All words first; then all with typing errors; then any, so that a long question finds something. */
export async function searchInSteps(
  work: UnitOfWork,
  query: SearchQuery,
  steps: Steps,
): Promise<SearchFound> {
  const { lexicon, vocabulary, find } = steps;
  if (query.q.trim() === '') return find(null, 'all');
  const plan = await planQuery(work, query, lexicon);
  if (plan === null) return nothing(query);
  const strict = await find(plan, 'all');
  if (strict.total > 0) return strict;
  const loose = await tolerant(work, plan, { lexicon, vocabulary });
  const near = await find(loose, 'all');
  if (near.total > 0 || loose.terms.length < 2) return near;
  return find(loose, 'any');
}

export const nothing = (query: SearchQuery): SearchFound => ({
  hits: [],
  total: 0,
  facets: query.facets.map(() => []),
});
