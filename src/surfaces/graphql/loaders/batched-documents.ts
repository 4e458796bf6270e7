import type { DocumentSource, StoredDocument } from '../../../features/delivery/index.js';
import { createDocumentLoader, type DocumentLoader } from './document-loader.js';

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
