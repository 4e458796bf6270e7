import { setTimeout as delay } from 'node:timers/promises';
import {
  CatalogRepository,
  emptyBatch,
  isFull,
  workOnEnvironments,
  type Batch,
} from '../../environments/catalog/index.js';
import {
  addressOf,
  DatabaseFailure,
  systemScope,
  type AddressRow,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { EngineFailure } from '../../../infrastructure/search/search-engine.js';
import { IndexedContentRepository } from './content.repository.js';
import { NOTES, SearchQueueRepository, type QueuedEntry } from './queue.repository.js';
import { readDocuments } from './reindex.js';
import type { SearchIndex } from './search-index.js';
import { VectorQueueRepository } from './vector-state.repository.js';

/** Entries of one transaction. */
const BATCH = 25;
/** Bytes of their values; an entry with more is alone in its transaction. */
const BATCH_BYTES = 1_000_000;
const BUSY_MS = 200;
/** What waits is counted so often during a rebuild. */
const COUNT_MS = 10_000;

const platform = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;

/** Receives the progress of a rebuild, entry by entry. */
export interface RebuildProgress {
  start(total: number): void;
  advance(): void;
}

const isPassing = ({ kind }: DatabaseFailure): boolean => kind === 'unavailable' || kind === 'retry';

export interface SearchIndexerParts {
  readonly units: UnitOfWorkFactory;
  readonly index: SearchIndex;
  /** Whether vectors are made of what was indexed. */
  readonly makesVectors: boolean;
  /** Receives why an entry cannot be indexed, and the first failure of a search engine. */
  onError(error: unknown): void;
}

/** The first entries that are not too large together. */
async function withinSize(
  work: UnitOfWork,
  waiting: readonly QueuedEntry[],
): Promise<readonly QueuedEntry[]> {
  const sizes = await work.use(IndexedContentRepository).sizes(waiting.map(({ entryId }) => entryId));
  let total = 0;
  const end = waiting.findIndex(({ entryId }, index) => {
    total += sizes.get(entryId) ?? 0;
    return total > BATCH_BYTES && index > 0;
  });
  return end < 0 ? waiting : waiting.slice(0, end);
}

/** Readers find what was published together at once, unless an entry is indexed alone because others fail. */
async function nextOf(
  work: UnitOfWork,
  waiting: readonly QueuedEntry[],
  size: number,
): Promise<readonly QueuedEntry[]> {
  const batchId = waiting[0]?.batchId ?? null;
  if (size === 1) return waiting;
  if (batchId !== null) return work.use(SearchQueueRepository).batch(batchId);
  const end = waiting.findIndex((one) => one.batchId !== null);
  return withinSize(work, end < 0 ? waiting : waiting.slice(0, end));
}

/** Indexes what writers noted. Any number of processes may run it: one at a time works on an environment. */
export class SearchIndexer {
  #isStopping = false;
  #isEngineAway = false;

  constructor(private readonly parts: SearchIndexerParts) {}

  stop(): void {
    this.#isStopping = true;
  }

  /**
   * Indexes what was noted, except in environments where another process does; returns how many entries. Everything
   * waits while a search engine does not work.
   */
  async run(): Promise<number> {
    let total = 0;
    try {
      total = await this.#indexAll();
      await this.#removeIndexes();
      this.#isEngineAway = false;
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      if (!this.#isEngineAway) this.parts.onError(error);
      this.#isEngineAway = true;
    }
    return total;
  }

  /** Indexes every entry of an environment again, which other processes may share; returns how many. */
  async rebuild(head: AddressRow, progress: RebuildProgress): Promise<number> {
    const every = { contentTypeIds: null, siteIds: null };
    const { entries: total } = await this.#run(head, (work) => this.parts.index.rebuild(work, every));
    progress.start(total);
    const last = await this.#run(head, (work) => work.use(SearchQueueRepository).last());
    for (let done = 0, countedAt = 0; done < total;) {
      const indexed = await this.#batch(head, BATCH);
      let now = Math.min(done + (indexed?.done ?? 0), total - 1);
      // Counting takes longer than a batch while very many wait.
      if (indexed === undefined || now === total - 1 || performance.now() - countedAt > COUNT_MS) {
        now = total - (await this.#run(head, (work) => work.use(SearchQueueRepository).leftUpTo(last)));
        countedAt = performance.now();
      }
      for (; done < now; done += 1) progress.advance();
      if (indexed === undefined) await delay(BUSY_MS);
    }
    return total;
  }

  #indexAll(): Promise<number> {
    const { units } = this.parts;
    return workOnEnvironments(units, {
      environments: () => units.run(platform, (work) => work.use(SearchQueueRepository).environments()),
      batch: async (head) => (await this.#batch(head, BATCH)) ?? emptyBatch,
      forget: (work, id) => work.use(SearchQueueRepository).forget(id),
      isStopping: () => this.#isStopping,
    });
  }

  /**
   * Removes the indexes of deleted environments. A worker that started earlier may still write to one, so that each
   * is locked first.
   */
  async #removeIndexes(): Promise<void> {
    const { units, index } = this.parts;
    const gone = await units.run({ ...platform, isReadOnly: true }, (work) =>
      work.use(SearchQueueRepository).removals(),
    );
    for (const id of gone)
      await units.run(platform, async (work) => {
        const queue = work.use(SearchQueueRepository);
        if (!(await queue.take(id))) return;
        await index.drop(id);
        await queue.forget(id);
        await queue.finishRemoval(id);
      });
  }

  /** Undefined while another process indexes the environment. A batch that fails is repeated entry by entry. */
  async #batch(head: AddressRow, size: number): Promise<Batch | undefined> {
    try {
      return await this.#run(head, (work) => this.#index(work, size));
    } catch (error) {
      if (error instanceof EngineFailure || (error instanceof DatabaseFailure && isPassing(error)))
        throw error;
      if (size > 1) return this.#batch(head, 1);
      this.parts.onError(error);
      return this.#run(head, async (work) => {
        const queue = work.use(SearchQueueRepository);
        const failing = await queue.claim(1);
        if (failing !== undefined) await queue.finish(failing.flatMap(({ ids }) => ids));
        await this.parts.index.settle(work);
        return failing && { done: failing.length, isMore: true };
      });
    }
  }

  #run<T>(head: AddressRow, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const scope = systemScope({ address: addressOf(head) });
    return this.parts.units.run({ scope, isReadOnly: false, lock: 'none', plans: 'keys' }, work);
  }

  async #index(work: UnitOfWork, size: number): Promise<Batch | undefined> {
    const queue = work.use(SearchQueueRepository);
    const waiting = await queue.claim(size);
    if (waiting === undefined) return undefined;
    if (waiting.length === 0) return emptyBatch;
    const claimed = await nextOf(work, waiting, size);
    const entryIds = claimed.map(({ entryId }) => entryId);
    const catalog = await work.use(CatalogRepository).current();
    const documents = await readDocuments(work, catalog, entryIds);
    await this.parts.index.index(work, { entryIds, documents });
    if (this.parts.makesVectors) await work.use(VectorQueueRepository).note(entryIds);
    await queue.finish(claimed.flatMap(({ ids }) => ids));
    const isFilling = await this.parts.index.settle(work);
    const done = new Set(entryIds);
    const isMore =
      isFilling ||
      waiting.some(({ entryId }) => !done.has(entryId)) ||
      isFull(waiting, { subjects: size, notes: NOTES });
    return { done: claimed.length, isMore };
  }
}
