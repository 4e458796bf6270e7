import type { deliveryReads } from '../../../contracts/delivery/delivery.contract.js';
import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import { assertFields, conditionsOf } from './content-filter.js';
import { localesOf, siteOf, type DeliveryRead } from './delivery-read.js';
import { expandDocuments } from './expand-references.js';

/** The entry with the values asked for only. */
function selected(entry: DeliveryEntry, names: readonly string[] | undefined): DeliveryEntry {
  if (names === undefined) return entry;
  const fields = Object.entries(entry.fields).filter(([name]) => names.includes(name));
  return { ...entry, fields: Object.fromEntries(fields) };
}

/** Lists the entries of one type on a site, a page at a time (specification 4.1). */
export async function listDeliveryContent(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.listContent>,
): Promise<{ data: DeliveryEntry[]; meta: PageMeta }> {
  const { catalog, source, trace } = read;
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(catalog, site, input.locale);
  const type = catalog.contentType(input.contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found');
  assertFields(type, input.fields);
  const conditions = conditionsOf(type, input.filter);
  trace.addType(type.apiName);
  const { items, total } = await source.list({
    contentTypeId: type.id,
    siteId: site.id,
    locales,
    orderBy: input.orderBy,
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
    conditions,
  });
  const expanded = await expandDocuments(items, {
    source,
    catalog,
    expansion: { hops: Math.min(input.include, read.maxReferenceDepth), locales },
  });
  trace.addDocuments(expanded.documents, catalog);
  const entries = expanded.entries.map((entry) => selected(entry, input.fields));
  return listEnvelope({ items: entries, total }, input);
}
