import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import { listEnvelope, type Page, type PageMeta } from '../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { SiteRedirect } from '../../../../contracts/publishing/delivery/route.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { localesOf } from './locale-chains.js';

interface RedirectView {
  readonly siteSlug: string;
  readonly locale?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** @throws AppError 404 `site_not_found`, `locale_not_found` */
async function findRedirects(read: DeliveryRead, view: RedirectView): Promise<Page<SiteRedirect>> {
  const { siteSlug, locale = null, limit, offset } = view;
  const site = siteOf(read, siteSlug);
  if (locale !== null) localesOf(read.catalog, site, locale);
  const { id: siteId, allowedTargets } = site;
  return read.routes.listRedirects({ siteId, locale, allowedTargets, limit, offset });
}

/** Lists the active redirects of a site, for generators of static sites and for hosts (rule delivery/redirects). */
export async function listDeliveryRedirects(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.listRedirects>,
): Promise<{ data: SiteRedirect[]; meta: PageMeta }> {
  const { page, limit } = input;
  return listEnvelope(await findRedirects(read, { ...input, offset: (page - 1) * limit }), input);
}

/** As {@link listDeliveryRedirects}, in the shape of a collection. */
export async function readRedirects(
  read: DeliveryRead,
  input: InputOf<typeof graphqlReads.redirects>,
): Promise<{ data: SiteRedirect[]; meta: { total: number; skip: number; limit: number } }> {
  const { skip, limit } = input;
  const { items, total } = await findRedirects(read, { ...input, offset: skip });
  return { data: [...items], meta: { total, skip, limit } };
}
