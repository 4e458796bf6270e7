import type { SiteDefinition } from '../../../content/catalog.js';
import { normalizeRoutePath, splitPublicPath } from '../../../content/route-path.js';
import type { DeliveryRead } from './delivery-read.js';
import type { FoundRoute } from './find-route.js';
import { localesOf } from './locale-chains.js';

/**
 * The entry of a preview token, at the path that it will have: another page or a redirect may still be there.
 * Undefined for another path.
 */
export async function previewedRoute(
  { catalog, source, preview }: DeliveryRead,
  site: SiteDefinition,
  path: string,
): Promise<Exclude<FoundRoute, { readonly target: string }>> {
  const normal = normalizeRoutePath(path);
  if (preview === undefined || normal === undefined) return undefined;
  const at = splitPublicPath(site, normal, preview.locale);
  if ((await preview.draftPath()) !== at.path) return undefined;
  const locales = localesOf(catalog, site, preview.locale);
  const [document] = await source.byIds([preview.entryId], locales);
  return document?.siteId === site.id ? { document, locales } : undefined;
}
