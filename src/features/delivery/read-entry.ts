import type { graphqlReads } from '../../../contracts/delivery/graphql.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryRead } from './delivery-read.js';
import { findDocument } from './find-document.js';
import { allDefaultLocales, defaultLocalesOf, tenantLocalesOf } from './locale-chains.js';
import { presentContent, type EntryRead } from './present-content.js';

/**
 * Reads an entry in the default locale of its site, or in that of its preview token. The entry decides which site that is: the first read is
 * along the default locales of all sites, and a second one is needed only if that found another locale than the best.
 */
export async function readEntry(
  { catalog, source, preview }: DeliveryRead,
  { id }: InputOf<typeof graphqlReads.entry>,
): Promise<EntryRead> {
  const { isPreview } = source;
  if (preview?.entryId === id.toLowerCase()) {
    const locales = tenantLocalesOf(catalog, preview.locale);
    const document = await findDocument(source, id, locales);
    return { data: document ? presentContent(document, catalog) : null, meta: { isPreview, locales } };
  }
  const found = await findDocument(source, id, allDefaultLocales(catalog));
  const site = found && catalog.site(found.siteId);
  if (site === undefined) return { data: null, meta: { isPreview, locales: [] } };
  const locales = defaultLocalesOf(catalog, site);
  const document = found?.locale === locales[0] ? found : await findDocument(source, id, locales);
  return { data: document ? presentContent(document, catalog) : null, meta: { isPreview, locales } };
}
