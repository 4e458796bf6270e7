import { createHash } from 'node:crypto';
import type { DeliveryTrace } from './delivery-trace.js';
import type { Page } from '../../../contracts/envelopes.js';
import type { DocumentQuery, DocumentSource, SlugQuery, StoredDocument } from './document.js';
import type { RouteSource } from './route-source.js';
import type { SitemapSource } from './sitemap-source.js';

/** As the database hashes it (migration 0020). */
const hashed = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 16);

/** A source whose every read leaves in the trace what its outcome depends on: what is not there, too. */
export class TracedDocuments implements DocumentSource {
  constructor(
    private readonly source: DocumentSource,
    private readonly trace: DeliveryTrace,
  ) {}

  get isPreview(): boolean {
    return this.source.isPreview;
  }

  byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    for (const id of ids) this.trace.dependOn(`e:${id}`);
    return this.source.byIds(ids, locales);
  }

  async bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    this.trace.dependOn(`s:${query.siteId}:${hashed(query.slug)}`);
    const document = await this.source.bySlug(query);
    if (document !== undefined) this.trace.dependOn(`e:${document.id}`);
    return document;
  }

  list(query: DocumentQuery): Promise<Page<StoredDocument>> {
    const { contentTypeId, siteId } = query;
    this.trace.dependOn(siteId === null ? `l:${contentTypeId}` : `l:${contentTypeId}:${siteId}`);
    return this.source.list(query);
  }
}

/** As {@link TracedDocuments}. */
export function tracedRoutes(source: RouteSource, trace: DeliveryTrace): RouteSource {
  return {
    entryAt: async (query) => {
      trace.dependOn(`P:${query.siteId}`);
      trace.dependOn(`p:${query.siteId}:${hashed(query.path)}`);
      const id = await source.entryAt(query);
      if (id !== undefined) trace.dependOn(`e:${id}`);
      return id;
    },
    redirectAt: async (question) => {
      trace.dependOn(`r:${question.siteId}`);
      const redirect = await source.redirectAt(question);
      // Every redirect that is followed counts as a hit.
      if (redirect !== undefined) trace.markCounted();
      return redirect;
    },
  };
}

/** As {@link TracedDocuments}. */
export function tracedSitemap(source: SitemapSource, trace: DeliveryTrace): SitemapSource {
  const depend = (siteId: string): void => {
    trace.dependOn(`m:${siteId}`);
  };
  return {
    countListed: (siteId) => {
      depend(siteId);
      return source.countListed(siteId);
    },
    pathBefore: (place) => {
      depend(place.siteId);
      return source.pathBefore(place);
    },
    listed: (query) => {
      depend(query.siteId);
      return source.listed(query);
    },
  };
}
