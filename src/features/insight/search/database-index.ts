import { AppError } from '../../../../contracts/errors.js';
import type { SearchDocument } from '../../../content/search/search-document.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CompletionRepository } from './completion.repository.js';
import { findCompletions } from './completions.js';
import { SearchDocumentRepository } from './document.repository.js';
import { environmentOf, hashOf, keyOf, rowsOf } from './document-rows.js';
import { addWords, type Lexicon } from './lexicon.js';
import { searchInSteps } from './query-plan.js';
import { SearchQueueRepository } from './queue.repository.js';
import type {
  Completions,
  IndexedEntries,
  Rebuild,
  Reindexed,
  SearchFound,
  SearchIndex,
  SearchQuery,
} from './search-index.js';
import { SearchRepository } from './search.repository.js';

const UNDEFINED_TABLE = '42P01';

const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE;

async function orUnavailable<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (isMissingTable(error)) throw new AppError('search_unavailable');
    throw error;
  }
}

/** The index in PostgreSQL, in the same database as the content. */
export class DatabaseSearchIndex implements SearchIndex {
  readonly provider = 'database';

  constructor(private readonly lexicon: Lexicon) {}

  async index(work: UnitOfWork, { entryIds, documents }: IndexedEntries): Promise<void> {
    const environmentId = environmentOf(work);
    const index = work.use(SearchDocumentRepository);
    const known = new Map((await index.keys(entryIds)).map((row) => [keyOf(row), row.hash]));
    const changed: SearchDocument[] = [];
    const turns = new Turns();
    for (const document of documents) {
      await turns.pause();
      if (known.get(keyOf(document)) !== hashOf(document)) changed.push(document);
    }
    const { rows, words } = await rowsOf(work, changed, { lexicon: this.lexicon, environmentId });
    await addWords(work, words);
    await index.replace(entryIds, documents, rows);
  }

  settle(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async search(work: UnitOfWork, query: SearchQuery): Promise<SearchFound> {
    const searches = work.use(SearchRepository);
    return orUnavailable(() =>
      searchInSteps(work, query, {
        lexicon: this.lexicon,
        find: (plan, demand) => searches.find(query, plan, demand),
        count: (plan) => searches.count(query, plan),
      }),
    );
  }

  async complete(work: UnitOfWork, query: SearchQuery): Promise<Completions> {
    const completions = work.use(CompletionRepository);
    return orUnavailable(() =>
      findCompletions(work, query, {
        lexicon: this.lexicon,
        titles: (asked) => completions.titles(query, asked),
        count: (asked) => completions.count(query, asked),
        samples: (asked) => completions.samples(query, asked),
      }),
    );
  }

  async rebuild(work: UnitOfWork, reindexed: Reindexed): Promise<Rebuild> {
    return { id: work.newId(), entries: await work.use(SearchQueueRepository).noteAll(reindexed) };
  }

  /** Its rows are gone with the environment. */
  drop(): Promise<void> {
    return Promise.resolve();
  }

  hashes(_work: UnitOfWork, documents: readonly SearchDocument[]): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map(documents.map((document) => [keyOf(document), hashOf(document)])));
  }
}
