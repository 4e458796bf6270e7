import type { graphqlReads } from '../../../contracts/delivery/graphql.contract.js';
import { invalidInput } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { EntryContent, ReadOrigin } from '../../../contracts/resources/content-entry.js';
import { cursorList, ListWalk } from '../shared/index.js';
import { listNamed, type DeliveryRead } from './delivery-read.js';
import { listDocuments } from './list-documents.js';
import { presentContent } from './present-content.js';

interface CollectionMeta {
  readonly total: number;
  /** Items before the page. */
  readonly skip: number;
  readonly limit: number;
  readonly nextCursor?: string | null;
}

interface Collection {
  readonly data: EntryContent[];
  readonly meta: ReadOrigin & CollectionMeta;
}

type Input = InputOf<typeof graphqlReads.collection>;

/** @throws AppError 422 `validation_failed` for an invalid cursor, and for a cursor with `skip` */
function walkOf(read: DeliveryRead, { cursor, skip, ...input }: Input): ListWalk | undefined {
  if (cursor === undefined) return undefined;
  const message = 'A request has either skip or cursor.';
  if (skip !== 0) throw invalidInput({ path: ['skip'], code: 'skip_with_cursor', message });
  const { contentTypeApiName, siteSlug, locale } = input;
  const { name, scope } = listNamed('collection', read);
  return new ListWalk(cursorList(name, scope, { contentTypeApiName, siteSlug, locale }), cursor);
}

/**
 * Lists entries of a type, of one site or of all, the last updated first (specification 4.2).
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`; 422 for an invalid cursor
 */
export async function readCollection(read: DeliveryRead, input: Input): Promise<Collection> {
  const { contentTypeApiName, siteSlug, locale, limit, skip } = input;
  const walk = walkOf(read, input);
  const found = await listDocuments(read, {
    contentTypeApiName,
    // An empty slug means all sites, as an absent one does.
    siteSlug: siteSlug === '' ? undefined : siteSlug,
    locale,
    orderBy: 'updatedAt:desc',
    limit,
    offset: skip,
    walk,
  });
  const { items, total, locales, siteLocales } = found;
  const origin = { isPreview: read.source.isPreview, locales, siteLocales };
  const page = walk === undefined ? { skip } : { skip: walk.passed, nextCursor: walk.nextCursor(found) };
  return {
    data: items.flatMap((document) => presentContent(document, read.catalog) ?? []),
    meta: { ...origin, total, limit, ...page },
  };
}
