import { AppError } from '../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition, SiteDefinition } from '../../content/catalog.js';
import type { ListedPage, ListWindow } from '../shared/index.js';
import type { Condition } from './content-filter.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import type { DocumentQuery, StoredDocument } from './document.js';
import { everySiteIn, everySiteLocales, localesOf, type EverySiteLocales } from './locale-chains.js';

/** Which entries to list; entries of all sites without a `siteSlug`. */
interface ListRequest extends ListWindow, Pick<DocumentQuery, 'orderBy'> {
  readonly contentTypeApiName: string;
  readonly siteSlug?: string | undefined;
  readonly locale?: string | undefined;
}

interface DocumentPage extends ListedPage<StoredDocument> {
  /** Fallback chain that the page was read along, or with `siteLocales` the locales of all chains. */
  readonly locales: readonly string[];
  readonly siteLocales: EverySiteLocales['siteLocales'];
}

function localesFor(
  catalog: Catalog,
  site: SiteDefinition | undefined,
  locale: string | undefined,
): EverySiteLocales {
  if (site !== undefined) return { locales: localesOf(catalog, site, locale) };
  return locale === undefined ? everySiteLocales(catalog) : everySiteIn(catalog, locale);
}

/**
 * Reads a page of the documents of one type.
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`; whatever `conditionsOf` throws
 */
export async function listDocuments(
  read: DeliveryRead,
  request: ListRequest,
  conditionsOf?: (type: ContentTypeDefinition) => readonly Condition[],
): Promise<DocumentPage> {
  const { catalog, source, trace } = read;
  const { contentTypeApiName, siteSlug, locale, orderBy, limit, offset, walk } = request;
  const site = siteSlug === undefined ? undefined : siteOf(read, siteSlug);
  const { locales, siteLocales } = localesFor(catalog, site, locale);
  const type = catalog.contentType(contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found');
  const conditions = conditionsOf?.(type) ?? [];
  trace.addType(type.apiName);
  const found = await source.list({
    contentTypeId: type.id,
    siteId: site?.id ?? null,
    locales,
    siteLocales,
    orderBy,
    limit,
    offset,
    walk,
    conditions,
  });
  return { ...found, locales, siteLocales };
}
