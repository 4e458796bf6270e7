import type { ListedPage } from '../../shared/cursor/list-page.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';

/** Pending reads by id for one chain of locales. */
interface Batch {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlyMap<string, StoredDocument>>;
}

/** Above it, one statement is slower than two. */
const LARGEST_BATCH = 200;

/** Statements that run at once. Later reads gather until one of them ends: most of a statement's cost is its own. */
const CONCURRENT = 2;
/** Reads never wait longer for statements before them. */
const LONGEST_WAIT_MS = 5;

/**
 * Published documents for all requests of a process: reads by id in the same turn of the event loop share a statement,
 * and those that wait for statements before them. It is sent after the last of them came, so no request reads data
 * older than itself.
 */
export class SharedDocuments implements DocumentSource {
  readonly isPreview = false;
  readonly #batches = new Map<string, Batch>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly source: DocumentSource) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    if (ids.length === 0) return [];
    if (ids.length > LARGEST_BATCH) return this.source.byIds(ids, locales);
    const found = await this.#join(ids, locales).found;
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    return this.source.bySlug(query);
  }

  list(query: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    return this.source.list(query);
  }

  #join(ids: readonly string[], locales: readonly string[]): Batch {
    const key = locales.join(' ');
    const open = this.#batches.get(key);
    if (open !== undefined && open.ids.size + ids.length <= LARGEST_BATCH) {
      for (const id of ids) open.ids.add(id);
      return open;
    }
    const wanted = new Set(ids);
    const found = this.#inTurn(() => {
      if (this.#batches.get(key) === batch) this.#batches.delete(key);
      return this.source.byIds([...wanted], locales);
    }).then((documents) => new Map(documents.map((document) => [document.id, document])));
    const batch: Batch = { ids: wanted, found };
    this.#batches.set(key, batch);
    return batch;
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#running >= CONCURRENT) await this.#wait();
    this.#running += 1;
    try {
      return await read();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        resolve();
      }, LONGEST_WAIT_MS);
      this.#waiting.push(start);
    });
  }
}
