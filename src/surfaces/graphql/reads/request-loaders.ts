import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import {
  CollectedDocuments,
  publicPaths,
  type StoredDocument,
  type DocumentSource,
  type PathedDocument,
  type ReadMedia,
} from '../../../features/publishing/delivery/index.js';
import type { Catalog } from '../../../content/catalog.js';
import {
  documentsOf,
  mapDatabaseErrors,
  routesOf,
  mediaOf,
  type OperationScope,
} from '../../../procedures/index.js';
import { GatheredReads } from './gathered-reads.js';

export type DocumentLoader = GatheredReads<string, StoredDocument>;

/** Reads the ids of one tick and locale chain in one statement (rule graphql/reads). */
class BatchedDocuments implements DocumentSource {
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
    const loader: DocumentLoader = new GatheredReads(async (ids) => {
      const documents = await this.source.byIds(ids, locales);
      return new Map(documents.map((document) => [document.id, document]));
    });
    this.#loaders.set(key, loader);
    return loader;
  }

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const documents = await this.loader(locales).load(ids);
    return documents.filter((document) => document !== undefined);
  }
}

/** A document and the locale that it was requested in. */
interface PathKey extends PathedDocument {
  readonly requested: string;
}

export type PathLoader = GatheredReads<PathKey, string | null>;

const keyOfPath = ({ id, requested }: PathKey): string => `${id} ${requested}`;

/** Reads the paths of one tick at once (rule delivery/paths). */
const createPathLoader = (
  read: (keys: readonly PathKey[]) => Promise<readonly (string | null)[]>,
): PathLoader =>
  new GatheredReads(async (keys) => {
    const paths = await read(keys);
    return new Map(keys.map((key, index) => [keyOfPath(key), paths[index] ?? null]));
  }, keyOfPath);

/** Per request, which must not occupy the whole pool. */
const CONCURRENT_READS = 4;

/** Limits concurrent reads, first in, first out. */
class ReadQueue {
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

/** References are read outside procedures, so database failures are mapped here. */
function limitReads(source: DocumentSource, queue: ReadQueue): DocumentSource {
  const read = <T>(run: () => Promise<T>): Promise<T> => mapDatabaseErrors(() => queue.run(run));
  return {
    isPreview: source.isPreview,
    byIds: (ids, locales) => read(() => source.byIds(ids, locales)),
    bySlug: (query) => read(() => source.bySlug(query)),
    list: (query) => read(() => source.list(query)),
  };
}

/** Published documents and drafts read by one request. */
export class RequestDocuments {
  readonly #queue = new ReadQueue();
  readonly #sources = new Map<boolean, BatchedDocuments>();
  readonly #paths = new Map<boolean, PathLoader>();

  constructor(
    private readonly scope: OperationScope,
    private readonly catalog: Catalog,
  ) {}

  of(isPreview: boolean): BatchedDocuments {
    const known = this.#sources.get(isPreview);
    if (known !== undefined) return known;
    const documents = limitReads(documentsOf(this.scope, isPreview), this.#queue);
    const source = new BatchedDocuments(new CollectedDocuments(documents, this.scope.trace, this.catalog));
    this.#sources.set(isPreview, source);
    return source;
  }

  paths(isPreview: boolean): PathLoader {
    const known = this.#paths.get(isPreview);
    if (known !== undefined) return known;
    const { scope, catalog } = this;
    const parts = { catalog, routes: routesOf(scope, catalog), isPreview };
    const loader = createPathLoader((keys) =>
      mapDatabaseErrors(() => this.#queue.run(() => publicPaths(parts, keys))),
    );
    this.#paths.set(isPreview, loader);
    return loader;
  }
}

export type MediaLoader = GatheredReads<string, DeliveryMedia>;

/** Assets that one request reads: the ids of one tick and locale chain in one statement. */
export class RequestMedia {
  readonly #loaders = new Map<string, MediaLoader>();

  constructor(private readonly scope: OperationScope) {}

  loader(locales: readonly string[]): MediaLoader {
    const key = locales.join(' ');
    const known = this.#loaders.get(key);
    if (known !== undefined) return known;
    const loader: MediaLoader = new GatheredReads((ids) =>
      mapDatabaseErrors(() => mediaOf(this.scope)(ids, locales)),
    );
    this.#loaders.set(key, loader);
    return loader;
  }

  readonly read: ReadMedia = async (ids, locales, siteId) => {
    if (siteId !== undefined) return mediaOf(this.scope)(ids, locales, siteId);
    const found = await this.loader(locales).load(ids);
    return new Map(found.flatMap((asset) => (asset === undefined ? [] : [[asset.id, asset] as const])));
  };
}
