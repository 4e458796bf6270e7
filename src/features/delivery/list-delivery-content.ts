import type { deliveryReads } from '../../../contracts/delivery/delivery.contract.js';
import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import { assertFields, conditionsOf } from './content-filter.js';
import { assertNoFieldParameters } from './field-parameters.js';
import type { DeliveryRead } from './delivery-read.js';
import { pathReader } from './entry-paths.js';
import { expandDocuments } from './expand-references.js';
import { listDocuments } from './list-documents.js';

/** The entry with the values asked for only. */
export function selectFields(entry: DeliveryEntry, names: readonly string[] | undefined): DeliveryEntry {
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
  const { page, limit } = input;
  const request = { ...input, offset: (page - 1) * limit };
  const { items, total, locales } = await listDocuments(read, request, (type) => {
    if (read.unknownParameters !== undefined) assertNoFieldParameters(type, read.unknownParameters);
    assertFields(type, input.fields);
    return conditionsOf(type, input.filter);
  });
  const expanded = await expandDocuments(items, {
    source,
    catalog,
    media: read.media,
    expansion: { hops: Math.min(input.include, read.maxReferenceDepth), locales },
    readPaths: input.paths ? pathReader(read, locales) : undefined,
  });
  trace.addDocuments(expanded.documents, catalog);
  const entries = expanded.entries.map((entry) => selectFields(entry, input.fields));
  return listEnvelope({ items: entries, total }, input);
}
