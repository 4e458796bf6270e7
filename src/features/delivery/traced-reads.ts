import { createHash } from 'node:crypto';
import type { DeliveryTrace } from './delivery-trace.js';
import type { DocumentSource } from './document.js';
import type { RouteSource } from './route-source.js';
import type { SitemapSource } from './sitemap-source.js';

/** As the database hashes it (migration 0020). */
const hashed = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 16);

/** A source whose every read leaves in the trace what its outcome depends on: what is not there, too. */
export function tracedDocuments(source: DocumentSource, trace: DeliveryTrace): DocumentSource {
  return {
    isPreview: source.isPreview,
    byIds: (ids, locales) => {
      for (const id of ids) trace.dependOn(`e:${id}`);
      return source.byIds(ids, locales);
    },
    bySlug: async (query) => {
      trace.dependOn(`s:${query.siteId}:${hashed(query.slug)}`);
      const document = await source.bySlug(query);
      if (document !== undefined) trace.dependOn(`e:${document.id}`);
      return document;
    },
    list: (query) => {
      const { contentTypeId, siteId } = query;
      trace.dependOn(siteId === null ? `l:${contentTypeId}` : `l:${contentTypeId}:${siteId}`);
      return source.list(query);
    },
  };
}

/** As {@link tracedDocuments}. */
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

/** As {@link tracedDocuments}. */
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
