import { purgeTags } from '../../../infrastructure/cache-tags.js';
import type { Catalog } from '../../../content/catalog.js';
import type { DeliveryTrace } from './delivery-trace.js';
import type { ListedPage } from '../../shared/cursor/list-page.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';
import type { ListedFallbacks, RouteSource, SitemapSource } from './route-source.js';
import type { TreeSource } from './tree-source.js';

/** Records in the trace what each read depends on, including entries that do not exist. */
export class TracedDocuments implements DocumentSource {
  constructor(
    private readonly source: DocumentSource,
    private readonly trace: DeliveryTrace,
  ) {}

  get isPreview(): boolean {
    return this.source.isPreview;
  }

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    for (const id of ids) this.trace.dependOn(purgeTags.entry(id));
    const documents = await this.source.byIds(ids, locales);
    for (const { ownerId } of documents)
      if (ownerId !== undefined) this.trace.dependOn(purgeTags.entry(ownerId));
    return documents;
  }

  async bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    this.trace.dependOn(purgeTags.slug(query.siteId, query.slug));
    const document = await this.source.bySlug(query);
    if (document !== undefined) this.trace.dependOn(purgeTags.entry(document.id));
    return document;
  }

  list(query: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    const { contentTypeId, siteId } = query;
    this.trace.dependOn(
      siteId === null ? purgeTags.list(contentTypeId) : purgeTags.siteList(contentTypeId, siteId),
    );
    return this.source.list(query);
  }
}

/** A source whose every document is part of the result and is added to the trace. */
export class CollectedDocuments implements DocumentSource {
  constructor(
    private readonly source: DocumentSource,
    private readonly trace: DeliveryTrace,
    private readonly catalog: Catalog,
  ) {}

  get isPreview(): boolean {
    return this.source.isPreview;
  }

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    const documents = await this.source.byIds(ids, locales);
    this.trace.addDocuments(documents, this.catalog);
    return documents;
  }

  async bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    const document = await this.source.bySlug(query);
    if (document !== undefined) this.trace.addDocuments([document], this.catalog);
    return document;
  }

  async list(query: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    const page = await this.source.list(query);
    this.trace.addDocuments(page.items, this.catalog);
    return page;
  }
}

/** As {@link TracedDocuments}. */
export function tracedRoutes(source: RouteSource, trace: DeliveryTrace): RouteSource {
  return {
    entryAt: async (query) => {
      trace.dependOn(purgeTags.paths(query.siteId));
      trace.dependOn(purgeTags.path(query.siteId, query.path));
      const found = await source.entryAt(query);
      if (found === undefined) return found;
      trace.dependOn(purgeTags.entry(found.entryId));
      if (found.canonicalPath !== null) trace.dependOn(purgeTags.path(query.siteId, found.canonicalPath));
      return found;
    },
    pathsOf: async (queries, isPreview) => {
      for (const { entryId, siteId } of queries) {
        trace.dependOn(purgeTags.entryPath(entryId));
        trace.dependOn(purgeTags.paths(siteId));
      }
      const places = await source.pathsOf(queries, isPreview);
      for (const { siteId, path, isFallback } of places.values())
        if (isFallback) trace.dependOn(purgeTags.path(siteId, path));
      return places;
    },
    redirectAt: async (question) => {
      trace.dependOn(purgeTags.redirects(question.siteId));
      const redirect = await source.redirectAt(question);
      // Every redirect that is followed counts as a hit.
      if (redirect !== undefined) trace.markUnstored();
      return redirect;
    },
    listRedirects: (query) => {
      trace.dependOn(purgeTags.redirects(query.siteId));
      return source.listRedirects(query);
    },
  };
}

/** As {@link TracedDocuments}. */
export function tracedTree(source: TreeSource, trace: DeliveryTrace): TreeSource {
  return {
    tree: async (query, isPreview) => {
      trace.dependOn(purgeTags.tree(query.siteId));
      const rows = await source.tree(query, isPreview);
      for (const { entryId } of rows) if (entryId !== null) trace.dependOn(purgeTags.entry(entryId));
      return rows;
    },
  };
}

/** As {@link TracedDocuments}. */
export function tracedSitemap(source: SitemapSource, trace: DeliveryTrace): SitemapSource {
  const depend = (siteId: string, fallbacks: ListedFallbacks): void => {
    trace.dependOn(purgeTags.sitemap(siteId));
    // Paths of pages shown by fallback change with drafts above them, which are in no sitemap.
    if (fallbacks !== undefined) trace.dependOn(purgeTags.tree(siteId));
  };
  return {
    countListed: (siteId, fallbacks) => {
      depend(siteId, fallbacks);
      return source.countListed(siteId, fallbacks);
    },
    pathBefore: (place) => {
      depend(place.siteId, place.fallbacks);
      return source.pathBefore(place);
    },
    listed: (query) => {
      depend(query.siteId, query.fallbacks);
      return source.listed(query);
    },
  };
}
