import type { Page } from '../../../contracts/envelopes.js';
import type { Catalog } from '../../content/catalog.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';

/** Documents of the sites of a catalog. Lists have their sites in the query. */
export class ActiveDocuments implements DocumentSource {
  constructor(
    private readonly source: DocumentSource,
    private readonly catalog: Catalog,
  ) {}

  get isPreview(): boolean {
    return this.source.isPreview;
  }

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const documents = await this.source.byIds(ids, locales);
    return documents.filter(({ siteId }) => this.catalog.site(siteId) !== undefined);
  }

  bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    return this.source.bySlug(query);
  }

  list(query: DocumentQuery): Promise<Page<StoredDocument>> {
    return this.source.list(query);
  }
}
