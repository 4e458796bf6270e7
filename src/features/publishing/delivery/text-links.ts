import type { SiteDefinition } from '../../../content/catalog.js';
import { valueOf, type StoredDocument } from './document.js';
import type { ShownEntry } from '../../../content/rich-text/show-references.js';
import { encodePath } from '../../../content/route-path.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import type { DeliveryRead } from './delivery-read.js';
import { pathReader } from './entry-paths.js';
import type { TextLinks } from './follow-references.js';

/** The URL that a site is at, without a slash at its end; undefined if it has none. */
function ownOriginOf({ baseUrl, domain }: Pick<SiteDefinition, 'baseUrl' | 'domain'>): string | undefined {
  if (baseUrl !== null) return baseUrl.replace(/\/+$/, '');
  return domain === null ? undefined : `https://${domain}`;
}

/** The same, or where clients reach the service. */
export const originOf = (read: Pick<DeliveryRead, 'serviceOrigin'>, site: SiteDefinition): string =>
  ownOriginOf(site) ?? read.serviceOrigin();

/** The title of a document in its locale, the slug if it has none. */
function titleOf(document: StoredDocument, { catalog }: Pick<DeliveryRead, 'catalog'>): string {
  const type = catalog.contentTypeById(document.contentTypeId);
  const named = type === undefined ? null : titleFieldOf(type);
  const title = named === null ? undefined : valueOf(document, named);
  return typeof title === 'string' && title.trim() !== '' ? title : document.slug;
}

/** A document as texts show it. @param href null if it has no page */
export function shownEntry(
  document: StoredDocument,
  read: Pick<DeliveryRead, 'catalog'>,
  { path, href }: { readonly path: string | null; readonly href: string | null },
): ShownEntry {
  const type = read.catalog.contentTypeById(document.contentTypeId);
  return {
    _type: type?.apiName ?? '',
    _slug: document.slug,
    _path: path,
    title: titleOf(document, read),
    href,
  };
}

/**
 * Where a text links: to the path, with the URL of its site if that is another one and has one.
 * @param from id of the site that shows the text
 */
export function hrefOf(path: string, target: SiteDefinition | undefined, from: string): string {
  const isElsewhere = target !== undefined && target.id !== from;
  return `${isElsewhere ? (ownOriginOf(target) ?? '') : ''}${encodePath(path)}`;
}

/**
 * Shows entries that texts of a site name, in the first locale of a chain. The response depends on each of them, also
 * on those that are not published.
 */
export function textLinks(
  read: DeliveryRead,
  site: SiteDefinition,
  { locales, links }: { readonly locales: readonly string[]; readonly links: 'path' | 'absolute' },
): TextLinks {
  const { catalog, trace } = read;
  const readPaths = pathReader(read, locales);
  const urlOf = (path: string, { siteId }: StoredDocument): string => {
    const target = catalog.site(siteId);
    if (links === 'path' || target === undefined) return hrefOf(path, target, site.id);
    return originOf(read, target) + encodePath(path);
  };
  return {
    show: async (ids, documents) => {
      trace.addEntries(ids);
      if (documents.length === 0) return new Map();
      trace.addDocuments(documents, catalog);
      const paths = await readPaths(documents);
      return new Map(
        documents.map((document) => {
          const path = paths.get(document.id) ?? null;
          const href = path === null ? null : urlOf(path, document);
          return [document.id, shownEntry(document, read, { path, href })];
        }),
      );
    },
  };
}
