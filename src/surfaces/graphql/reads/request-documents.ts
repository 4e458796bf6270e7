import type { Catalog } from '../../../content/catalog.js';
import {
  CollectedDocuments,
  publicPaths,
  type DocumentSource,
} from '../../../features/publishing/delivery/index.js';
import { documentsOf, mapDatabaseErrors, routesOf, type OperationScope } from '../../../procedures/index.js';
import { BatchedDocuments, createPathLoader, type PathLoader, ReadQueue } from '../loaders/loaders.js';

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
