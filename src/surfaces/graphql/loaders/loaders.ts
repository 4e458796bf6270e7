import DataLoader from 'dataloader';
import type {
  StoredDocument,
  DocumentSource,
  PathedDocument,
} from '../../../features/publishing/delivery/index.js';

export type DocumentLoader = DataLoader<string, StoredDocument | undefined>;

/** Calls `read` once per tick with distinct ids (rule graphql/reads). */
function createDocumentLoader(
  read: (ids: readonly string[]) => Promise<readonly StoredDocument[]>,
): DocumentLoader {
  return new DataLoader(async (ids) => {
    const documents = new Map((await read(ids)).map((document) => [document.id, document]));
    return ids.map((id) => documents.get(id));
  });
}

/** Reads the ids of one tick and locale chain in one statement. */
export class BatchedDocuments implements DocumentSource {
  readonly #loaders = new Map<string, DocumentLoader>();
  readonly bySlug: DocumentSource['bySlug'];
  readonly list: DocumentSource['list'];

  constructor(private readonly source: DocumentSource) {
    this.bySlug = source.bySlug.bind(source);
    this.list = source.list.bind(source);
  }

  get isPreview(): boolean {
    return this.source.isPreview;
  }

  loader(locales: readonly string[]): DocumentLoader {
    const key = locales.join(' ');
    const known = this.#loaders.get(key);
    if (known !== undefined) return known;
    const loader = createDocumentLoader((ids) => this.source.byIds(ids, locales));
    this.#loaders.set(key, loader);
    return loader;
  }

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const loader = this.loader(locales);
    const documents = await Promise.all(ids.map((id) => loader.load(id)));
    return documents.filter((document) => document !== undefined);
  }
}

/** A document and the locale that it was requested in. */
interface PathKey extends PathedDocument {
  readonly requested: string;
}

export type PathLoader = DataLoader<PathKey, string | null, string>;

/** Calls `read` once per tick with distinct entries and locales (rule delivery/paths). */
export const createPathLoader = (
  read: (keys: readonly PathKey[]) => Promise<readonly (string | null)[]>,
): PathLoader => new DataLoader(read, { cacheKeyFn: ({ id, requested }) => `${id} ${requested}` });

/** Per request, which must not occupy the whole pool. */
const CONCURRENT_READS = 4;

/** Limits concurrent reads, first in, first out. */
export class ReadQueue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#running >= CONCURRENT_READS) await new Promise<void>((start) => this.#waiting.push(start));
    else this.#running += 1;
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
