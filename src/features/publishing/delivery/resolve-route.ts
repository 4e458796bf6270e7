import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { RouteResult } from '../../../../contracts/publishing/delivery/route.js';
import { AppError } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { assertPreviewed, requestedLocale, siteOf, type DeliveryRead } from './delivery-read.js';
import { findRoute } from './find-route.js';
import { previewedRoute } from './previewed-route.js';
import { presentEntries } from './write-entries.js';

/** Resolves a path of a site to a page or a redirect (rule delivery/operations). */
export async function resolveRoute(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.resolveRoute>,
): Promise<{ data: RouteResult }> {
  const locale = requestedLocale(read, input.locale);
  const site = siteOf(read, input.siteSlug);
  const found =
    (await previewedRoute(read, site, input.path)) ??
    (await findRoute(read, { site, path: input.path, locale }));
  if (found === undefined) throw new AppError('route_not_found');
  if (!('document' in found))
    return { data: { kind: 'redirect', target: found.target, status: found.status } };
  const { document, locales } = found;
  assertPreviewed(read, document.id);
  const [entry] = await presentEntries(read, { request: input, locales }, [document]);
  if (entry === undefined) throw new AppError('route_not_found');
  return { data: { kind: 'entry', entry } };
}
