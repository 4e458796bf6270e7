import type { listDeliveryContent as contract } from '../../../contracts/delivery/content.contract.js';
import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import { localesOf, siteOf, type DeliveryRead } from './delivery-read.js';
import { expandDocuments } from './expand-references.js';

/** Lists the entries of one type on a site, a page at a time (specification 4.1). */
export async function listDeliveryContent(
  read: DeliveryRead,
  input: InputOf<typeof contract>,
): Promise<{ data: DeliveryEntry[]; meta: PageMeta }> {
  const { catalog, source, trace } = read;
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(catalog, site, input.locale);
  const type = catalog.contentType(input.contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found');
  trace.addType(type.apiName);
  const { items, total } = await source.list({
    contentTypeId: type.id,
    siteId: site.id,
    locales,
    orderBy: input.orderBy,
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  const expanded = await expandDocuments(items, {
    source,
    catalog,
    expansion: { hops: input.include, locales },
  });
  trace.addDocuments(expanded.documents, catalog);
  return listEnvelope({ items: expanded.entries, total }, input);
}
