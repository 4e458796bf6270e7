export { checkIndex } from './check-index.js';
export { DatabaseSearchIndex } from './database-index.js';
export { Lexicon } from './lexicon.js';
export { OpenSearchIndex } from './engine/engine-index.js';
export type { SearchIndex } from './search-index.js';
export { SearchQueueRepository } from './queue.repository.js';
export { SearchIndexer } from './search-indexer.js';
export type { SearchServices } from './search-services.js';
export type { SiteSearch } from './site-search.js';
