import { LRUCache } from 'lru-cache';
import { limits } from '../../../../contracts/limits.js';
import { AppError } from '../../../../contracts/errors.js';
import { EmbedderFailure, type Embedder } from '../../../infrastructure/embedding/embedder.js';
import type { EmptySearchCounts } from '../reports/index.js';
import type { Lexicon } from './lexicon.js';
import type { SearchMode } from '../../../../contracts/insight/search/search.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { SearchFound, SearchHit, SearchIndex, SearchQuery } from './search-index.js';
import { SearchRepository } from './search.repository.js';
import { NearestRepository } from './vector.repository.js';
import { VectorStateRepository } from './vector-state.repository.js';

/** Queries whose pages are being read. */
const REMEMBERED = 200;

/** Vectors of what is searched for. */
export class QueryVectors {
  readonly #remembered = new LRUCache<string, Float32Array>({ max: REMEMBERED });

  constructor(
    readonly embedder: Embedder,
    /** Receives why a query has no vector. */
    private readonly onFailure: (failure: EmbedderFailure) => void,
  ) {}

  /**
   * Not to be called in a transaction.
   * @throws AppError 503 `embedding_unavailable`
   */
  async of(q: string): Promise<Float32Array> {
    const text = q.trim().toWellFormed();
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    try {
      const [vector] = await this.embedder.embed([text]);
      if (vector === undefined) throw new EmbedderFailure('unavailable', 'wrong_number');
      this.#remembered.set(text, vector);
      return vector;
    } catch (error) {
      if (!(error instanceof EmbedderFailure)) throw error;
      this.onFailure(error);
      throw new AppError('embedding_unavailable');
    }
  }
}

export interface SearchServices {
  readonly index: SearchIndex;
  readonly lexicon: Lexicon;
  /** Undefined without an embedding server. */
  readonly vectors: QueryVectors | undefined;
  readonly empty: EmptySearchCounts;
  /** Starts a watch; it returns milliseconds. */
  elapsed(): () => number;
}

/** Reciprocal rank fusion: the usual constant, with which no list decides alone. */
const FUSION = 60;
const NEAREST = limits.searchNearest;

/** What a query means, and how it counts. */
export interface Meaning {
  readonly mode: Exclude<SearchMode, 'keyword'>;
  readonly model: string;
  readonly vector: Float32Array;
}

const keyOf = ({ entryId, locale }: SearchHit): string => `${entryId} ${locale}`;

/** One list of all hits of several: the sum of 1 / (60 + place) in each. */
function fuse(lists: readonly (readonly SearchHit[])[]): SearchHit[] {
  const fused = new Map<string, SearchHit>();
  for (const list of lists)
    for (const [place, hit] of list.entries()) {
      const { score } = fused.get(keyOf(hit)) ?? { score: 0 };
      fused.set(keyOf(hit), { ...hit, score: score + 1 / (FUSION + place + 1) });
    }
  return [...fused.values()];
}

/**
 * The nearest documents by meaning; with `hybrid`, together with as many that have the words.
 * @throws AppError 503 `embedding_unavailable` while the vectors are of another model
 */
export async function searchByMeaning(
  work: UnitOfWork,
  query: SearchQuery,
  { index, meaning }: { readonly index: SearchIndex; readonly meaning: Meaning },
): Promise<SearchFound> {
  const { mode, model, vector } = meaning;
  const made = await work.use(VectorStateRepository).find();
  if (made?.model !== model || made.centre.length !== vector.length)
    throw new AppError('embedding_unavailable');
  const near = await work.use(NearestRepository).nearest(query, made, { vector, limit: NEAREST });
  const searches = work.use(SearchRepository);
  if (mode === 'semantic') return searches.among(query, near);
  const words = { ...query, sort: null, facets: [], isGrouped: false, limit: NEAREST, offset: 0 };
  const { hits } = await index.search(work, words);
  return searches.among(query, fuse([hits, near]));
}

/** @throws AppError 422 `semantic_search_unavailable`, 503 `embedding_unavailable` */
export async function meaningOf(
  { q, mode }: { readonly q?: string | undefined; readonly mode: SearchMode },
  { vectors }: SearchServices,
): Promise<Meaning | undefined> {
  if (mode === 'keyword') return undefined;
  if (vectors === undefined) throw new AppError('semantic_search_unavailable');
  if (q === undefined || q.trim() === '') return undefined;
  return { mode, model: vectors.embedder.model, vector: await vectors.of(q) };
}
