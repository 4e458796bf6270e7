import type { SiteDefinition } from '../../../content/catalog.js';
import type { DeliveryRead } from './delivery-read.js';

/** The URL that a site is at, without a slash at its end; undefined if it has none. */
export function ownOriginOf({
  baseUrl,
  domain,
}: Pick<SiteDefinition, 'baseUrl' | 'domain'>): string | undefined {
  if (baseUrl !== null) return baseUrl.replace(/\/+$/, '');
  return domain === null ? undefined : `https://${domain}`;
}

/** The same, or where clients reach the service. */
export const originOf = (read: Pick<DeliveryRead, 'serviceOrigin'>, site: SiteDefinition): string =>
  ownOriginOf(site) ?? read.serviceOrigin();
