import type { graphqlReads } from '../../../contracts/delivery/graphql.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryContent, ReadOrigin } from '../../../contracts/resources/content-entry.js';
import type { DeliveryRead } from './delivery-read.js';
import { listDocuments } from './list-documents.js';
import { presentContent } from './present-content.js';

interface Collection {
  readonly data: EntryContent[];
  readonly meta: ReadOrigin & { readonly total: number; readonly skip: number; readonly limit: number };
}

/**
 * Lists entries of a type, of one site or of all, the last updated first (specification 4.2).
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`
 */
export async function readCollection(
  read: DeliveryRead,
  input: InputOf<typeof graphqlReads.collection>,
): Promise<Collection> {
  const { contentTypeApiName, siteSlug, locale, limit, skip } = input;
  const { items, total, locales, siteLocales } = await listDocuments(read, {
    contentTypeApiName,
    // An empty slug means all sites, as an absent one does.
    siteSlug: siteSlug === '' ? undefined : siteSlug,
    locale,
    orderBy: 'updatedAt:desc',
    limit,
    offset: skip,
  });
  return {
    data: items.flatMap((document) => presentContent(document, read.catalog) ?? []),
    meta: { isPreview: read.source.isPreview, locales, siteLocales, total, skip, limit },
  };
}
