import type { deliveryReads } from '../../../contracts/delivery/delivery.contract.js';
import { AppError } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryEntry } from '../../../contracts/resources/delivery-entry.js';
import { assertPreviewed, requestedLocale, siteOf, type DeliveryRead } from './delivery-read.js';
import { pathReader } from './entry-paths.js';
import { expandDocuments } from './expand-references.js';
import { findDocument } from './find-document.js';
import { localesOf } from './locale-chains.js';
import { writeEntries } from './write-entries.js';

/** Reads one entry of a site in a locale or the best of its fallbacks (specification 4.1). */
export async function getDeliveryEntry(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.getEntry>,
): Promise<{ data: DeliveryEntry }> {
  const { catalog, source, trace } = read;
  assertPreviewed(read, input.id.toLowerCase());
  const locale = requestedLocale(read, input.locale);
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(catalog, site, locale);
  const document = await findDocument(source, input.id, locales);
  // An entry of another site is as absent here as one that does not exist (decisions 2.29).
  if (document?.siteId !== site.id) throw new AppError('entry_not_found');
  const present = read.writesText === true ? writeEntries : expandDocuments;
  const expanded = await present([document], {
    source,
    catalog,
    media: read.media,
    expansion: { hops: Math.min(input.include, read.maxReferenceDepth), locales },
    readPaths: input.paths ? pathReader(read, locales) : undefined,
  });
  trace.addDocuments(expanded.documents, catalog);
  const [data] = expanded.entries;
  if (data === undefined) throw new AppError('entry_not_found');
  return { data };
}
