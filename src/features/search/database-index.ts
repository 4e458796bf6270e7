import { AppError } from '../../../contracts/errors.js';
import { canBeMisspelt, spellingsOf } from '../../content/search/spelling.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { SearchDocumentRepository } from './document.repository.js';
import { hashOf, keyOf, rowsOf } from './document-rows.js';
import type { Lexicon } from './lexicon.js';
import { planQuery, tolerant } from './query-plan.js';
import { SearchQueueRepository } from './queue.repository.js';
import type { IndexedEntries, SearchFound, SearchIndex, SearchQuery } from './search-index.js';
import { SearchRepository } from './search.repository.js';
import { SearchWordRepository } from './word.repository.js';

const nothing = (query: SearchQuery): SearchFound => ({
  hits: [],
  total: 0,
  facets: query.facets.map(() => []),
});

const UNDEFINED_TABLE = '42P01';

const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE;

const environmentOf = ({ scope }: UnitOfWork): string => scope.environmentId ?? '';

/** The index in PostgreSQL, in the same database as the content. */
export class DatabaseSearchIndex implements SearchIndex {
  readonly provider = 'database';

  constructor(private readonly lexicon: Lexicon) {}

  async index(work: UnitOfWork, { entryIds, documents }: IndexedEntries): Promise<void> {
    const environmentId = environmentOf(work);
    const index = work.use(SearchDocumentRepository);
    const known = new Map((await index.keys(entryIds)).map((row) => [keyOf(row), row.hash]));
    const changed = documents.filter((document) => known.get(keyOf(document)) !== hashOf(document));
    const { rows, words } = await rowsOf(work, changed, { lexicon: this.lexicon, environmentId });
    const vocabulary = work.use(SearchWordRepository);
    const unknown = await vocabulary.unknown([...words].filter(canBeMisspelt));
    await vocabulary.add(unknown.map((word) => ({ word, spellings: spellingsOf(environmentId, word) })));
    await index.replace(entryIds, documents, rows);
  }

  async remove(work: UnitOfWork, entryIds: readonly string[]): Promise<void> {
    await work.use(SearchDocumentRepository).replace(entryIds, [], []);
  }

  async search(work: UnitOfWork, query: SearchQuery): Promise<SearchFound> {
    try {
      return await this.#search(work, query);
    } catch (error) {
      if (isMissingTable(error)) throw new AppError('search_unavailable');
      throw error;
    }
  }

  /** All words first; then all with typing errors; then any, so that a long question finds something. */
  async #search(work: UnitOfWork, query: SearchQuery): Promise<SearchFound> {
    const searches = work.use(SearchRepository);
    if (query.q.trim() === '') return searches.find(query, null, 'all');
    const plan = await planQuery(work, query, this.lexicon);
    if (plan === null) return nothing(query);
    const strict = await searches.find(query, plan, 'all');
    if (strict.total > 0) return strict;
    const loose = await tolerant(work, plan, { lexicon: this.lexicon, environmentId: environmentOf(work) });
    const near = await searches.find(query, loose, 'all');
    if (near.total > 0 || loose.terms.length < 2) return near;
    return searches.find(query, loose, 'any');
  }

  rebuild(work: UnitOfWork): Promise<number> {
    return work.use(SearchQueueRepository).noteAll();
  }
}
