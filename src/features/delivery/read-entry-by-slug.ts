import type { graphqlReads } from '../../../contracts/delivery/graphql.contract.js';
import { EntrySlug } from '../../../contracts/primitives.js';
import type { InputOf } from '../../../contracts/procedure.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { localesOf } from './locale-chains.js';
import { presentContent, type EntryRead } from './present-content.js';

/**
 * Reads an entry by slug, site and locale; null for an ill-formed slug.
 * @throws AppError 404 `site_not_found`, `locale_not_found`
 */
export async function readEntryBySlug(
  read: DeliveryRead,
  { slug, siteSlug, locale }: InputOf<typeof graphqlReads.entryBySlug>,
): Promise<EntryRead> {
  const { catalog, source } = read;
  const site = siteOf(read, siteSlug);
  const locales = localesOf(catalog, site, locale);
  const normal = EntrySlug.safeParse(slug.normalize('NFC'));
  const document = normal.success
    ? await source.bySlug({ slug: normal.data, siteId: site.id, locales })
    : undefined;
  const { isPreview } = source;
  return { data: document ? presentContent(document, catalog) : null, meta: { isPreview, locales } };
}
