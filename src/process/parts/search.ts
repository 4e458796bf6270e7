import {
  DatabaseSearchIndex,
  Lexicon,
  OpenSearchIndex,
  QueryVectors,
  type SearchIndex,
  type SearchServices,
} from '../../features/insight/search/index.js';
import {
  EmbedderFailure,
  HttpEmbedder,
  type EmbedderSettings,
} from '../../infrastructure/embedding/embedder.js';
import { EmptySearchCounts } from '../../features/insight/reports/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import type { UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Neighbours } from '../../infrastructure/neighbours/neighbours.js';
import {
  EngineFailure,
  SearchEngine,
  type EngineSettings,
} from '../../infrastructure/search/search-engine.js';

export interface SearchOptions {
  /** Undefined: the database is searched. */
  readonly openSearch?: (Omit<EngineSettings, 'neighbour'> & { readonly prefix: string }) | undefined;
  /** Undefined: nothing is found by meaning. */
  readonly embedding?: EmbedderSettings | undefined;
}

interface SearchParts {
  readonly logger: Logger;
  readonly neighbours: Neighbours;
  /** Database connections: requests that wait for a search engine leave half of them to others. */
  readonly poolSize: number;
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
}

function indexOf({ openSearch }: SearchOptions, lexicon: Lexicon, parts: SearchParts): SearchIndex {
  if (openSearch === undefined) return new DatabaseSearchIndex(lexicon);
  const { prefix, ...settings } = openSearch;
  const { logger, neighbours, poolSize } = parts;
  const neighbour = neighbours.open({
    name: 'search',
    places: neighbours.places({ most: Math.max(1, Math.floor(poolSize / 2)) }),
    isOutage: (error) => error instanceof EngineFailure && error.kind === 'unavailable',
  });
  return new OpenSearchIndex({
    engine: new SearchEngine({ ...settings, neighbour }),
    lexicon,
    prefix,
    onFailure: (failure) => {
      // Outages are logged once, by the neighbour.
      if (failure.kind !== 'unavailable') logger.warn({ err: failure }, 'a search failed');
    },
  });
}

function vectorsOf(
  { embedding }: SearchOptions,
  { logger, neighbours }: SearchParts,
): QueryVectors | undefined {
  if (embedding === undefined) return undefined;
  const neighbour = neighbours.open({
    name: 'embeddings',
    places: neighbours.places({ most: 4, lineMs: 2000 }),
    isOutage: (error) => error instanceof EmbedderFailure && error.kind === 'unavailable',
  });
  return new QueryVectors(new HttpEmbedder({ ...embedding, neighbour }), (failure) => {
    if (failure.kind !== 'unavailable') logger.warn({ err: failure }, 'a search by meaning failed');
  });
}

/** The index of the provider. */
export function openSearch(options: SearchOptions, parts: SearchParts): SearchServices {
  const lexicon = new Lexicon();
  return {
    index: indexOf(options, lexicon, parts),
    lexicon,
    vectors: vectorsOf(options, parts),
    empty: new EmptySearchCounts(parts.units, parts.clock),
    elapsed: () => {
      const start = performance.now();
      return () => Math.round(performance.now() - start);
    },
  };
}
