import { EngineFailure, type SearchEngine } from '../../../../infrastructure/search/search-engine.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  COUNTED,
  type CountedWord,
  type HitKey,
  type SearchQuery,
  type TitleHit,
  type TitleQuery,
  type WordQuery,
} from '../search-index.js';
import { anyClause, exactMatch, type Clause } from './engine-match.js';
import { engineFilter } from './engine-search.js';

interface CompletionRequest {
  readonly engine: SearchEngine;
  readonly alias: string;
  readonly query: SearchQuery;
}

interface Hits {
  readonly hits: {
    readonly hits: readonly {
      readonly _id: string;
      readonly fields?: { readonly title?: readonly string[] };
    }[];
  };
}

interface CompletionResponse extends Hits {
  readonly timed_out?: boolean;
  readonly aggregations?: {
    readonly words: {
      readonly buckets: Readonly<Record<string, { readonly doc_count: number; readonly one?: Hits }>>;
    };
  };
}

async function send({ engine, alias }: CompletionRequest, body: object): Promise<CompletionResponse> {
  const path = `/${alias}/_search?allow_partial_search_results=false`;
  const answer = (await engine.send({
    method: 'POST',
    path,
    body: { ...body, track_total_hits: false, _source: false },
  })) as CompletionResponse;
  if (answer.timed_out === true) throw new EngineFailure('unavailable', 'timeout');
  return answer;
}

function placeOf(id: string): { readonly entryId: string; readonly locale: string } {
  const [, entryId = '', locale = ''] = id.split(':');
  return { entryId, locale };
}

const last: Clause[] = [{ entryId: 'asc' }, { locale: 'asc' }];

/** Titles that begin with what was typed, and then those that have its words, in alphabetical order. */
export async function titlesInEngine(
  work: UnitOfWork,
  place: CompletionRequest,
  asked: TitleQuery,
): Promise<TitleHit[]> {
  const { beginning, limit, terms, phrases } = asked;
  const begins: Clause[] = beginning === null ? [] : [{ prefix: { title: { value: beginning } } }];
  const { filter, mustNot } = exactMatch(asked, 'a');
  const having: Clause[] =
    terms.length + phrases.length === 0 ? [] : [{ bool: { filter, must_not: mustNot } }];
  const all = [...(await engineFilter(work, place.query)), anyClause([...begins, ...having])];
  const should = begins.map((one) => ({ constant_score: { filter: one } }));
  const { hits } = await send(place, {
    query: { bool: { filter: all, should, minimum_should_match: 0 } },
    sort: [{ _score: 'desc' }, { title: 'asc' }, ...last],
    size: limit,
    docvalue_fields: ['title'],
  });
  return hits.hits.map(({ _id, fields }) => ({ ...placeOf(_id), title: fields?.title?.[0] ?? '' }));
}

type Buckets = NonNullable<CompletionResponse['aggregations']>['words']['buckets'];

/** What is known of the documents that have each of the words, together with all else that was typed. */
async function aggregate(
  work: UnitOfWork,
  place: CompletionRequest,
  { context, words, aggs }: WordQuery & { readonly aggs: Clause },
): Promise<Buckets> {
  const { filter, mustNot } = exactMatch(context, 'all');
  const all = [...(await engineFilter(work, place.query)), ...filter, { terms: { all: words } }];
  const filters = Object.fromEntries(words.map((word, index) => [String(index), { term: { all: word } }]));
  const { aggregations } = await send(place, {
    query: { bool: { filter: all, must_not: mustNot } },
    size: 0,
    aggs: { words: { filters: { filters }, aggs } },
  });
  return aggregations?.words.buckets ?? {};
}

/** Words that documents have, together with all else that was typed. */
export async function wordsInEngine(
  work: UnitOfWork,
  place: CompletionRequest,
  asked: WordQuery,
): Promise<CountedWord[]> {
  const buckets = await aggregate(work, place, { ...asked, aggs: {} });
  return asked.words.flatMap((word, index) => {
    const { doc_count: count = 0 } = buckets[String(index)] ?? {};
    return count === 0 ? [] : [{ word, documents: Math.min(count, COUNTED) }];
  });
}

/** Of those that have a word, together with all else that was typed, the first by title. */
export async function samplesInEngine(
  work: UnitOfWork,
  place: CompletionRequest,
  asked: WordQuery,
): Promise<Map<string, HitKey>> {
  const first = { size: 1, _source: false, sort: [{ title: 'asc' }, ...last] };
  const buckets = await aggregate(work, place, { ...asked, aggs: { one: { top_hits: first } } });
  return new Map(
    asked.words.flatMap((word, index) => {
      const [hit] = buckets[String(index)]?.one?.hits.hits ?? [];
      return hit === undefined ? [] : [[word, placeOf(hit._id)] as const];
    }),
  );
}
