import { isUuid } from '../../../infrastructure/ids.js';
import type { DocumentSource, StoredDocument } from './document.js';
import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import { AppError } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { DeliveryEntry } from '../../../../contracts/publishing/delivery/content-entry.js';
import { assertPreviewed, requestedLocale, siteOf, type DeliveryRead } from './delivery-read.js';
import { localesOf, allDefaultLocales, defaultLocalesOf, tenantLocalesOf } from './locale-chains.js';
import { sentEntries } from './write-entries.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import { presentContent, type EntryRead } from './present-content.js';
import { checkExactText } from '../../../content/exact-json/exact-json.js';

/** The document of an id in the best locale of a chain; undefined for an ill-formed id. */
async function findDocument(
  source: DocumentSource,
  id: string,
  locales: readonly string[],
): Promise<StoredDocument | undefined> {
  if (locales.length === 0 || !isUuid(id)) return undefined;
  const [document] = await source.byIds([id.toLowerCase()], locales);
  return document;
}

/** Reads one entry of a site in a locale or the best of its fallbacks (rule delivery/operations). */
export async function getDeliveryEntry(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.getEntry>,
): Promise<{ data: DeliveryEntry }> {
  const { catalog, source } = read;
  assertPreviewed(read, input.id.toLowerCase());
  const locale = requestedLocale(read, input.locale);
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(catalog, site, locale);
  const document = await findDocument(source, input.id, locales);
  // An entry of another site is as absent here as one that does not exist (rule delivery/operations).
  if (document?.siteId !== site.id) throw new AppError('entry_not_found');
  const [data] = await sentEntries(read, { request: input, locales }, [document]);
  if (data === undefined) throw new AppError('entry_not_found');
  return { data };
}

/**
 * Reads an entry in a locale, by default that of its preview token or else of its site. The entry decides which site that
 * is: the first read is along the default locales of all sites, or the chain of the locale across sites, and a second one
 * is needed only if that found another locale than the best.
 * @throws AppError 404 `locale_not_found`; 403 `invalid_preview_token` for another locale than that of the token
 */
export async function readEntry(
  read: DeliveryRead,
  { id, locale }: InputOf<typeof graphqlReads.entry>,
): Promise<EntryRead> {
  const { catalog, source, preview } = read;
  const { isPreview } = source;
  const present = (document: StoredDocument | undefined, locales: readonly string[]): EntryRead => ({
    data: document ? presentContent(document, catalog) : null,
    meta: { isPreview, locales },
  });
  if (preview?.entryId === id.toLowerCase()) {
    const locales = tenantLocalesOf(catalog, requestedLocale(read, locale) ?? preview.locale);
    return present(await findDocument(source, id, locales), locales);
  }
  const wide = locale === undefined ? allDefaultLocales(catalog) : tenantLocalesOf(catalog, locale);
  const found = await findDocument(source, id, wide);
  const site = found && catalog.site(found.siteId);
  if (site === undefined) return present(undefined, []);
  const locales = locale === undefined ? defaultLocalesOf(catalog, site) : localesOf(catalog, site, locale);
  return present(found?.locale === locales[0] ? found : await findDocument(source, id, locales), locales);
}

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
  const document = checkExactText(slug)
    ? await source.bySlug({ slug: slug.normalize('NFC'), siteId: site.id, locales })
    : undefined;
  const { isPreview } = source;
  return { data: document ? presentContent(document, catalog) : null, meta: { isPreview, locales } };
}
