import { AppError } from '../../../../../contracts/errors.js';
import type { SearchDocument } from '../../../../content/search/search-document.js';
import { EngineFailure, type SearchEngine } from '../../../../infrastructure/search/search-engine.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { findCompletions } from '../completions.js';
import { environmentOf, keeper, keyOf } from '../document-rows.js';
import { SearchDocumentRepository, type DocumentKey } from '../document.repository.js';
import { addWords, type Lexicon } from '../lexicon.js';
import { nothing, searchInSteps } from '../query-plan.js';
import { SearchQueueRepository } from '../queue.repository.js';
import type {
  Completions,
  IndexedEntries,
  Rebuild,
  Reindexed,
  SearchFound,
  SearchIndex,
  SearchQuery,
} from '../search-index.js';
import { DocumentRefused, writeBulk } from './engine-bulk.js';
import { samplesInEngine, titlesInEngine, wordsInEngine } from './engine-complete.js';
import { engineDocuments, engineId, type EngineDocument } from './engine-documents.js';
import { EngineIndexes, FORM } from './engine-indexes.js';
import { searchEngine } from './engine-search.js';
import { EngineStateRepository, type EngineIndexState } from './state.repository.js';

const isLost = (error: unknown): boolean => error instanceof EngineFailure && error.kind === 'missing';

/** What entries have in the index, and what they had. */
interface Change {
  readonly entryIds: readonly string[];
  readonly documents: readonly EngineDocument[];
  readonly known: readonly DocumentKey[];
}

interface OpenSearchParts {
  readonly engine: SearchEngine;
  readonly lexicon: Lexicon;
  /** Begins the names of all indexes. */
  readonly prefix: string;
  /** Receives why a search failed. */
  onFailure(failure: EngineFailure): void;
}

/**
 * The index in OpenSearch: one per environment. Rows of the database list its documents, so that only changes are
 * written and removed documents are known. An index that is missing, was created by another service or has an
 * outdated format is rebuilt from the content.
 */
export class OpenSearchIndex implements SearchIndex {
  readonly provider = 'opensearch';
  readonly #indexes: EngineIndexes;

  constructor(private readonly parts: OpenSearchParts) {
    this.#indexes = new EngineIndexes(parts.engine, parts.prefix);
  }

  async index(work: UnitOfWork, entries: IndexedEntries): Promise<void> {
    try {
      await this.#index(work, entries);
    } catch (error) {
      if (!isLost(error) && !(error instanceof DocumentRefused)) throw error;
      const isOurs = await this.#indexes.isOurs(environmentOf(work));
      const { form } = await work.use(EngineStateRepository).read();
      if (error instanceof DocumentRefused && (isOurs || form !== FORM)) throw error;
      if (!isOurs) await work.use(EngineStateRepository).lose();
      await this.#begin(work);
      await this.#index(work, entries);
    }
  }

  async settle(work: UnitOfWork): Promise<boolean> {
    const states = work.use(EngineStateRepository);
    const rebuildId = await states.complete();
    if (rebuildId === undefined) return (await states.read()).rebuildId !== null;
    try {
      await this.#indexes.swap(environmentOf(work), rebuildId);
      await states.finish(FORM);
      return false;
    } catch (error) {
      if (!isLost(error)) throw error;
      await this.#begin(work);
      return true;
    }
  }

  search(work: UnitOfWork, query: SearchQuery): Promise<SearchFound> {
    const { engine, lexicon } = this.parts;
    const alias = this.#indexes.alias(environmentOf(work));
    const counted = { ...query, sort: null, facets: [], limit: 0, offset: 0 };
    return this.#orNothing(work, nothing(query), () =>
      searchInSteps(work, query, {
        lexicon,
        find: (plan, demand) => searchEngine(work, query, { engine, alias, plan, demand }),
        count: async (plan) =>
          (await searchEngine(work, counted, { engine, alias, plan, demand: 'all' })).total,
      }),
    );
  }

  complete(work: UnitOfWork, query: SearchQuery): Promise<Completions> {
    const { engine, lexicon } = this.parts;
    const place = { engine, alias: this.#indexes.alias(environmentOf(work)), query };
    return this.#orNothing(work, { queries: [], titles: [] }, () =>
      findCompletions(work, query, {
        lexicon,
        titles: (asked) => titlesInEngine(work, place, asked),
        count: (asked) => wordsInEngine(work, place, asked),
        samples: (asked) => samplesInEngine(work, place, asked),
      }),
    );
  }

  /** Continues a rebuild that is running. */
  async rebuild(work: UnitOfWork, reindexed: Reindexed): Promise<Rebuild> {
    const { form, rebuildId, rebuildTotal } = await work.use(EngineStateRepository).read();
    if (rebuildId !== null) return { id: rebuildId, entries: rebuildTotal ?? 0 };
    const isWhole = reindexed.contentTypeIds === null && reindexed.siteIds === null;
    if (isWhole || form !== FORM) return this.#orUnavailable(() => this.#begin(work));
    return { id: work.newId(), entries: await work.use(SearchQueueRepository).noteAll(reindexed) };
  }

  drop(environmentId: string): Promise<void> {
    return this.#indexes.drop(environmentId);
  }

  async hashes(work: UnitOfWork, documents: readonly SearchDocument[]): Promise<ReadonlyMap<string, string>> {
    const { generation } = await work.use(EngineStateRepository).read();
    const made = await engineDocuments(work, documents, { lexicon: this.parts.lexicon, generation });
    return new Map(made.map((document) => [keyOf(document), document.hash]));
  }

  async #index(work: UnitOfWork, { entryIds, documents: given }: IndexedEntries): Promise<void> {
    const states = work.use(EngineStateRepository);
    const { form, rebuildId } = await states.read();
    if (form !== FORM && rebuildId === null) await this.#begin(work);
    const state = await states.read();
    const { generation } = state;
    const ledger = work.use(SearchDocumentRepository);
    const known = await ledger.keys(entryIds);
    const documents = await engineDocuments(work, given, { lexicon: this.parts.lexicon, generation });
    const hashes = new Map(known.map((row) => [keyOf(row), row.hash]));
    const changed = documents.filter((document) => hashes.get(keyOf(document)) !== document.hash);
    const removed = await this.#removed(work, { entryIds, documents, known });
    for (const { words } of changed) await addWords(work, words);
    await this.#write(work, state, { documents: changed, removed });
    const rows = changed.map((document) => ({ ...document, title: '', vector: '', boosted: null }));
    await ledger.replace(entryIds, documents, rows);
  }

  async #write(
    work: UnitOfWork,
    { form, rebuildId }: Pick<EngineIndexState, 'form' | 'rebuildId'>,
    change: { readonly documents: readonly EngineDocument[]; readonly removed: readonly string[] },
  ): Promise<void> {
    const { engine } = this.parts;
    const environmentId = environmentOf(work);
    const version = await work.use(SearchQueueRepository).nextVersion();
    const keepOpen = keeper(work);
    const bulk = { ...change, version };
    if (form === FORM)
      await writeBulk(engine, { ...bulk, alias: this.#indexes.alias(environmentId), isSeen: true }, keepOpen);
    if (rebuildId !== null)
      await writeBulk(
        engine,
        { ...bulk, alias: this.#indexes.next(environmentId, rebuildId), isSeen: false },
        keepOpen,
      );
  }

  /** Documents that the entries no longer have; of an entry without any, all that it may have had. */
  async #removed(work: UnitOfWork, { entryIds, documents, known }: Change): Promise<string[]> {
    const kept = new Set(documents.map(({ id }) => id));
    const listed = known.map((row) => engineId(row)).filter((id) => !kept.has(id));
    const seen = new Set([...documents, ...known].map(({ entryId }) => entryId));
    const unknown = entryIds.filter((entryId) => !seen.has(entryId));
    if (unknown.length === 0) return listed;
    const { locales } = (await work.use(CatalogRepository).current()).data;
    const possible = unknown.flatMap((entryId) =>
      locales.flatMap(({ code: locale }) =>
        (['draft', 'live'] as const).map((stage) => engineId({ stage, entryId, locale })),
      ),
    );
    return [...listed, ...possible];
  }

  /** Begins a new index of all entries. */
  async #begin(work: UnitOfWork): Promise<Rebuild> {
    const id = work.newId();
    await this.#indexes.prepare(environmentOf(work), id);
    const every = { contentTypeIds: null, siteIds: null };
    const entries = await work.use(SearchQueueRepository).noteAll(every);
    await work.use(EngineStateRepository).begin(id, entries);
    return { id, entries };
  }

  async #shouldExist(work: UnitOfWork): Promise<boolean> {
    const states = work.use(EngineStateRepository);
    return (await states.find()) !== undefined || (await states.hasIndexedEntry());
  }

  /** @param none what is found where no index exists yet */
  async #orNothing<T>(work: UnitOfWork, none: T, search: () => Promise<T>): Promise<T> {
    try {
      return await search();
    } catch (error) {
      if (isLost(error) && !(await this.#shouldExist(work))) return none;
      throw this.#unavailable(error);
    }
  }

  async #orUnavailable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #unavailable(error: unknown): unknown {
    if (!(error instanceof EngineFailure)) return error;
    this.parts.onFailure(error);
    return new AppError('search_unavailable');
  }
}
