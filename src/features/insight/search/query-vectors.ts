import { LRUCache } from 'lru-cache';
import { AppError } from '../../../../contracts/errors.js';
import { EmbedderFailure, type Embedder } from '../../../infrastructure/embedding/embedder.js';
import type { EmptySearchCounts } from '../reports/index.js';
import type { Lexicon } from './lexicon.js';
import type { SearchIndex } from './search-index.js';

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
