import type { deliveryReads } from '../../../contracts/delivery/delivery.contract.js';
import type { ListMeta } from '../../../contracts/envelopes.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import { openPage } from '../shared/index.js';
import { assertFields, conditionsOf } from './content-filter.js';
import { assertNoFieldParameters } from './field-parameters.js';
import { listNamed, type DeliveryRead } from './delivery-read.js';
import type { StoredDocument } from './document.js';
import { pathReader } from './entry-paths.js';
import { expandDocuments, type Presented } from './expand-references.js';
import { listDocuments } from './list-documents.js';
import { writeEntries, type WriteParts } from './write-entries.js';

/** The entry with the values asked for only. */
export function selectFields(entry: DeliveryEntry, names: readonly string[] | undefined): DeliveryEntry {
  if (names === undefined) return entry;
  const fields = Object.entries(entry.fields).filter(([name]) => names.includes(name));
  return { ...entry, fields: Object.fromEntries(fields) };
}

async function selectedEntries(
  documents: readonly StoredDocument[],
  { selected, ...parts }: WriteParts,
): Promise<Presented> {
  const expanded = await expandDocuments(documents, parts);
  return { ...expanded, entries: expanded.entries.map((entry) => selectFields(entry, selected)) };
}

/** Lists the entries of one type on a site, a page at a time (specification 4.1). */
export async function listDeliveryContent(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.listContent>,
): Promise<{ data: DeliveryEntry[]; meta: ListMeta }> {
  const { catalog, source, trace } = read;
  const { include, paths, fields, ...listed } = input;
  const page = openPage(listed, listNamed('content', read));
  const request = { ...listed, ...page.window };
  const { locales, ...found } = await listDocuments(read, request, (type) => {
    if (read.unknownParameters !== undefined) assertNoFieldParameters(type, read.unknownParameters);
    assertFields(type, fields);
    return conditionsOf(type, input.filter);
  });
  const parts = {
    source,
    catalog,
    media: read.media,
    expansion: { hops: Math.min(include, read.maxReferenceDepth), locales },
    readPaths: paths ? pathReader(read, locales) : undefined,
    selected: fields,
  };
  const present = read.writesText === true ? writeEntries : selectedEntries;
  const { entries, documents } = await present(found.items, parts);
  trace.addDocuments(documents, catalog);
  return page.envelope({ ...found, items: entries });
}
