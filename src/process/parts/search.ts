import {
  DatabaseSearchIndex,
  Lexicon,
  OpenSearchIndex,
  QueryVectors,
  type SearchIndex,
  type SearchServices,
} from '../../features/search/index.js';
import { HttpEmbedder, type EmbedderSettings } from '../../infrastructure/embedding/http-embedder.js';
import type { Logger } from '../../infrastructure/logger.js';
import { SearchEngine, type EngineSettings } from '../../infrastructure/search/search-engine.js';

export interface SearchOptions {
  /** Undefined: the database is searched. */
  readonly openSearch?: (Omit<EngineSettings, 'concurrency'> & { readonly prefix: string }) | undefined;
  /** Undefined: nothing is found by meaning. */
  readonly embedding?: EmbedderSettings | undefined;
}

interface SearchParts {
  readonly logger: Logger;
  /** Database connections: requests that wait for a search engine leave half of them to others. */
  readonly poolSize: number;
}

function indexOf({ openSearch }: SearchOptions, lexicon: Lexicon, parts: SearchParts): SearchIndex {
  if (openSearch === undefined) return new DatabaseSearchIndex(lexicon);
  const { prefix, ...settings } = openSearch;
  const concurrency = Math.max(1, Math.floor(parts.poolSize / 2));
  return new OpenSearchIndex({
    engine: new SearchEngine({ ...settings, concurrency }),
    lexicon,
    prefix,
    onFailure: (failure) => {
      parts.logger.warn({ err: failure }, 'a search failed');
    },
  });
}

function vectorsOf({ embedding }: SearchOptions, { logger }: SearchParts): QueryVectors | undefined {
  if (embedding === undefined) return undefined;
  return new QueryVectors(new HttpEmbedder(embedding), (failure) => {
    logger.warn({ err: failure }, 'a search by meaning failed');
  });
}

/** The index of the provider. */
export function openSearch(options: SearchOptions, parts: SearchParts): SearchServices {
  const lexicon = new Lexicon();
  return {
    index: indexOf(options, lexicon, parts),
    lexicon,
    vectors: vectorsOf(options, parts),
    elapsed: () => {
      const start = performance.now();
      return () => Math.round(performance.now() - start);
    },
  };
}
