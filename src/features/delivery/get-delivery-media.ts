import type { deliveryReads } from '../../../contracts/delivery/delivery.contract.js';
import { AppError } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DeliveryMedia } from '../../../contracts/resources/media-asset.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { localesOf } from './locale-chains.js';

/** Seconds that shared caches may keep metadata (specification section 8). */
const KEEP_SECONDS = 300;

/** Reads one asset of a site in a locale, with fallbacks value by value (specification 4.1). */
export async function getDeliveryMedia(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.getMedia>,
): Promise<{ data: DeliveryMedia }> {
  const site = siteOf(read, input.siteSlug);
  const locales = localesOf(read.catalog, site, input.locale);
  const id = input.assetId.toLowerCase();
  const asset = (await read.media([id], locales, site.id)).get(id);
  // An asset of other sites is as absent here as one that does not exist (decisions 2.29).
  if (asset === undefined) throw new AppError('media_not_found');
  read.trace.keepFor(KEEP_SECONDS);
  return { data: asset };
}
