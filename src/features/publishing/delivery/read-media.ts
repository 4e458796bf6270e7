import { isUuid } from '../../../infrastructure/ids.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import { deliverAsset, type AssetUrls, type MediaSource } from '../../media/media/index.js';
import type { DeliveryTrace } from './delivery-trace.js';

/**
 * Reads assets by id, along a chain of locales.
 * @param siteId omits assets of other sites
 */
export type ReadMedia = (
  ids: readonly string[],
  locales: readonly string[],
  siteId?: string,
) => Promise<ReadonlyMap<string, DeliveryMedia>>;

interface MediaRead {
  readonly trace: DeliveryTrace;
  readonly urls: AssetUrls;
  readonly projectSlug: string;
}

/** Reads assets in one statement. The response depends on each, also on those that do not exist. */
export function readMedia(source: MediaSource, { trace, urls, projectSlug }: MediaRead): ReadMedia {
  return async (given, locales, siteId) => {
    const ids = given.filter(isUuid);
    for (const id of ids) trace.addMedia(id);
    const assets = await source.byIds(ids, locales);
    for (const { override } of assets) if (override !== null) trace.addMedia(override.id);
    const place = { urls, projectSlug, locales };
    const shown = assets.filter(
      ({ siteIds }) => siteId === undefined || siteIds.length === 0 || siteIds.includes(siteId),
    );
    return new Map(shown.map((asset) => [asset.id, deliverAsset(asset, place)]));
  };
}
