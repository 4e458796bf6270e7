import type { Lexicon } from './lexicon.js';
import type { SearchIndex } from './search-index.js';

export interface SearchServices {
  readonly index: SearchIndex;
  readonly lexicon: Lexicon;
  /** Starts a watch; it returns milliseconds. */
  elapsed(): () => number;
}
