import { DatabaseSearchIndex, Lexicon, type SearchServices } from '../../features/search/index.js';

/** The index of the default provider. */
export function openSearch(): SearchServices {
  const lexicon = new Lexicon();
  return {
    index: new DatabaseSearchIndex(lexicon),
    lexicon,
    elapsed: () => {
      const start = performance.now();
      return () => Math.round(performance.now() - start);
    },
  };
}
