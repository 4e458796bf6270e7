import type { ListedPage } from '../shared/index.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';

/** Pending reads by id for one chain of locales. */
interface Batch {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlyMap<string, StoredDocument>>;
}

/** Above it, one statement is slower than two. */
const LARGEST_BATCH = 200;

/**
 * Published documents for all requests of a process: reads by id in the same turn of the event loop share a statement.
 * It is sent when the turn ends, so no request reads data older than itself.
 */
export class SharedDocuments implements DocumentSource {
  readonly isPreview = false;
  readonly #batches = new Map<string, Batch>();

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
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      if (this.#batches.get(key) === batch) this.#batches.delete(key);
      const documents = await this.source.byIds([...wanted], locales);
      return new Map(documents.map((document) => [document.id, document]));
    });
    const batch: Batch = { ids: wanted, found };
    this.#batches.set(key, batch);
    return batch;
  }
}
