import { invalidInput } from '../../../../../contracts/errors.js';
import { EngineFailure, type SearchEngine } from '../../../../infrastructure/search/search-engine.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { Demand } from '../facet-sql.js';
import type { PlannedQuery } from '../query-plan.js';
import type { SearchFound, SearchQuery, SearchSort } from '../search-index.js';
import {
  facetClauses,
  facetCounts,
  type Aggregations,
  engineMatch,
  SCALE,
  type Clause,
} from './engine-match.js';
import { engineFilter } from './engine-filter.js';
import { RESULT_WINDOW } from './engine-indexes.js';
import { valueKey } from './engine-values.js';

/** Text of results is compared by its beginning. */
const sortForms = {
  string: ['l', 'keyword'],
  link: ['r', 'keyword'],
  number: ['n', 'double'],
  boolean: ['b', 'boolean'],
  date: ['l', 'keyword'],
  time: ['t', 'double'],
} as const;

function sortClause(sort: SearchSort | null): Clause[] {
  const last: Clause[] = [{ updatedAt: 'desc' }, { entryId: 'asc' }, { locale: 'asc' }];
  if (sort === null) return [{ _score: 'desc' }, ...last];
  const order = sort.isAscending ? 'asc' : 'desc';
  if ('key' in sort) return [{ [sort.key === 'title' ? 'titleSort' : sort.key]: { order } }, ...last];
  const [form, type] = sortForms[sort.comparison];
  return [{ [valueKey(form, sort.apiName)]: { order, unmapped_type: type } }, ...last];
}

interface EngineResult {
  readonly timed_out?: boolean;
  readonly hits: {
    readonly total: { readonly value: number };
    readonly hits: readonly { readonly _id: string; readonly _score: number | null }[];
  };
  readonly aggregations?: Aggregations;
}

async function bodyOf(
  work: UnitOfWork,
  query: SearchQuery,
  { plan, demand }: { readonly plan: PlannedQuery | null; readonly demand: Demand },
): Promise<object> {
  const match = plan === null ? { filter: [], should: [] } : engineMatch(plan, demand);
  const filter = [...(await engineFilter(work, query)), ...match.filter];
  return {
    query: { bool: { filter, should: match.should, minimum_should_match: 0 } },
    sort: sortClause(query.sort),
    from: query.offset,
    size: query.limit,
    track_total_hits: true,
    track_scores: true,
    _source: false,
    aggs: facetClauses(query.facets),
  };
}

/**
 * One search of an alias.
 * @throws EngineFailure
 * @throws AppError 422 for a page far behind
 */
export async function searchEngine(
  work: UnitOfWork,
  query: SearchQuery,
  options: {
    readonly engine: SearchEngine;
    readonly alias: string;
    readonly plan: PlannedQuery | null;
    readonly demand: Demand;
  },
): Promise<SearchFound> {
  if (query.offset + query.limit > RESULT_WINDOW)
    throw invalidInput({
      path: ['page'],
      code: 'too_large',
      message: `Only the first ${String(RESULT_WINDOW)} results are listed.`,
    });
  const path = `/${options.alias}/_search?allow_partial_search_results=false`;
  const body = await bodyOf(work, query, options);
  const answer = (await options.engine.send({ method: 'POST', path, body })) as EngineResult;
  if (answer.timed_out === true) throw new EngineFailure('unavailable', 'timeout');
  const hits = answer.hits.hits.map(({ _id, _score }) => {
    const [, entryId = '', locale = ''] = _id.split(':');
    return { entryId, locale, score: options.plan === null ? 0 : (_score ?? 0) / SCALE };
  });
  const facets = facetCounts(query.facets, answer.aggregations ?? {});
  return { hits, total: answer.hits.total.value, facets };
}

/** Words of the index by similarity, for each word. */
export async function similarWords(
  engine: SearchEngine,
  alias: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const term = {
    field: 'words',
    analyzer: 'whitespace',
    suggest_mode: 'always',
    max_edits: 2,
    prefix_length: 0,
    min_word_length: 4,
    max_term_freq: 1_000_000_000,
    max_inspections: 20,
    size: 25,
    string_distance: 'damerau_levenshtein',
  };
  const suggest = Object.fromEntries(words.map((text, place) => [String(place), { text, term }]));
  const body = { size: 0, _source: false, suggest };
  const answer = (await engine.send({ method: 'POST', path: `/${alias}/_search`, body })) as {
    suggest?: Record<string, { options: { text: string }[] }[]>;
  };
  return new Map(
    words.map((word, place) => {
      const found = answer.suggest?.[String(place)] ?? [];
      return [word, found.flatMap(({ options }) => options.map(({ text }) => text))] as const;
    }),
  );
}
