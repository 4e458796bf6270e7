import type { Lexicon } from './lexicon.js';
import type { SearchIndex } from './search-index.js';
import type { QueryVectors } from './query-vectors.js';

export interface SearchServices {
  readonly index: SearchIndex;
  readonly lexicon: Lexicon;
  /** Undefined without an embedding server. */
  readonly vectors: QueryVectors | undefined;
  /** Starts a watch; it returns milliseconds. */
  elapsed(): () => number;
}
