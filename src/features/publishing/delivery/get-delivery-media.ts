import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import { AppError } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { localesOf, tenantLocalesOf } from './locale-chains.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';

/** Seconds that shared caches may keep metadata (specification section 8). */
const KEEP_SECONDS = 300;

/** Reads one asset of a site in a locale, with fallbacks value by value (rule delivery/operations). */
export async function getDeliveryMedia(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.getMedia>,
): Promise<{ data: DeliveryMedia }> {
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(read.catalog, site, input.locale);
  const id = input.assetId.toLowerCase();
  const asset = (await read.media([id], locales, site.id)).get(id);
  // An asset of other sites is as absent here as one that does not exist (rule delivery/operations).
  if (asset === undefined) throw new AppError('media_not_found');
  read.trace.keepFor(KEEP_SECONDS);
  return { data: asset };
}

/**
 * Reads an asset of any site.
 * @throws AppError 404 `locale_not_found`
 */
export async function readAsset(
  { catalog, media }: DeliveryRead,
  { id, locale }: InputOf<typeof graphqlReads.asset>,
): Promise<{ data: DeliveryMedia | null }> {
  const code = locale ?? catalog.data.locales.find(({ isDefault }) => isDefault)?.code ?? '';
  const asset = id.toLowerCase();
  return { data: (await media([asset], tenantLocalesOf(catalog, code))).get(asset) ?? null };
}
