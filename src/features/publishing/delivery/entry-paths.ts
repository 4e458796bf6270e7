import { publicPath } from '../../../content/route-path.js';
import type { Catalog } from '../../../content/catalog.js';
import type { StoredDocument } from './document.js';
import type { DeliveryRead } from './delivery-read.js';
import type { ReadPaths } from './follow-references.js';
import { pathKey, type RouteSource } from './route-source.js';

interface PathParts {
  readonly catalog: Catalog;
  readonly routes: RouteSource;
  /** Whether drafts have paths, too. */
  readonly isPreview: boolean;
}

export type PathedDocument = Pick<StoredDocument, 'id' | 'siteId' | 'locale'>;

/**
 * Public paths of documents in the locales requested, in their order; null without a route, or if another page has its
 * path. One statement.
 */
export async function publicPaths(
  { catalog, routes, isPreview }: PathParts,
  documents: readonly (PathedDocument & { readonly requested: string })[],
): Promise<(string | null)[]> {
  const queries = documents.map(({ id, siteId, locale, requested }) => ({
    entryId: id,
    siteId,
    locale: requested,
    servedLocale: locale,
  }));
  const places = await routes.pathsOf(queries, isPreview);
  return queries.map((query) => {
    const place = places.get(pathKey(query));
    const site = place && catalog.site(place.siteId);
    if (place === undefined || site === undefined || place.isShadowed) return null;
    return publicPath(site, query.locale, place.path);
  });
}

/** Reads the paths of one response in the first locale of its chain. */
export function pathReader(
  { catalog, source, routes }: DeliveryRead,
  [requested = '']: readonly string[],
): ReadPaths {
  const parts = { catalog, routes, isPreview: source.isPreview };
  return async (documents) => {
    const paged = documents.filter(({ ownerId }) => ownerId === undefined);
    const unique = [...new Map(paged.map((document) => [document.id, document])).values()];
    const paths = await publicPaths(
      parts,
      unique.map(({ id, siteId, locale }) => ({ id, siteId, locale, requested })),
    );
    const blocks = documents.filter(({ ownerId }) => ownerId !== undefined);
    return new Map<string, string | null>([
      ...blocks.map(({ id }) => [id, null] as const),
      ...unique.map(({ id }, index) => [id, paths[index] ?? null] as const),
    ]);
  };
}
