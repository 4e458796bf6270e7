import { z } from 'zod';
import { dataOf } from '../envelopes.js';
import { delivery, deliveryRoute, inSite } from '../operation.js';
import { DeliveryEntry } from '../resources/delivery-entry.js';
import { previewToken } from './entries.contract.js';

/** What answers a path (specification 2.2). What matches nothing is 404 `route_not_found`, never a third kind. */
export const RouteResult = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('entry'), entry: DeliveryEntry }),
    z.object({
      kind: z.literal('redirect'),
      target: z.string().meta({ description: 'Path to go to.', example: '/about' }),
      status: z.int().meta({ description: 'HTTP status to answer with.', example: 301 }),
    }),
  ])
  .meta({ id: 'RouteResult', description: 'A page, or where to go instead.' });
export type RouteResult = z.infer<typeof RouteResult>;

/** A path of a site as it stands in a URL. */
export const RoutePath = z.string().max(8192).regex(/^\//, 'must begin with "/"').meta({
  description: 'Path of the site, percent-encoded or not. Query, fragment and trailing slash are ignored.',
  example: '/about/team',
});

/** Resolves a path of a site. */
export const resolveRoute = delivery({
  openapi: deliveryRoute('/routes', {
    summary: 'Resolve a path',
    description:
      'The published page at a path, else the redirect that leads on. Where locales have path prefixes, the prefix names the locale.',
    tags: ['Delivery'],
  }),
  resource: 'entries',
  action: 'read',
  errors: ['site_not_found', 'locale_not_found', 'route_not_found', 'invalid_preview_token'],
})
  .input(
    inSite({
      path: RoutePath,
      locale: z.string().max(100).optional().meta({
        description: 'Locale; absent: that of the path’s prefix, else the site default. Fallbacks apply.',
        example: 'en',
      }),
      previewToken,
    }),
  )
  .output(dataOf(RouteResult));
