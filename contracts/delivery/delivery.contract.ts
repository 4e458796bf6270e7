import { z } from 'zod';
import { dataOf, listOf, PageMeta } from '../envelopes.js';
import { limits } from '../limits.js';
import { inPath, orderBy, paging } from '../primitives.js';
import { delivery } from '../procedure.js';
import { DeliveryEntry } from '../resources/delivery-entry.js';
import { RoutePath, RouteResult } from '../resources/route.js';
import { SitemapUrl } from '../resources/sitemap-url.js';
import { deliveryRoute, inSite } from '../routes.js';
import { contentFilter, fieldSelection } from './filters.js';
import { deliveryLocale, include, previewToken } from './parameters.js';

export const deliveryReads = {
  getEntry: delivery({
    openapi: deliveryRoute('/entries/{id}', {
      summary: 'Read an entry',
      description:
        'One published entry with its values resolved for the locale; with a preview or management key the draft.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: ['site_not_found', 'locale_not_found', 'entry_not_found', 'invalid_preview_token'],
  })
    .input(
      inSite({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        locale: deliveryLocale,
        include,
        previewToken,
      }),
    )
    .output(dataOf(DeliveryEntry)),

  listContent: delivery({
    openapi: deliveryRoute('/content/{contentTypeApiName}', {
      summary: 'List entries of a type',
      description:
        'Published entries of one content type with full field values, by default the last published first.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: ['site_not_found', 'locale_not_found', 'content_type_not_found'],
  })
    .input(
      inSite({
        contentTypeApiName: inPath('apiName of the content type.', 'article'),
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt'], 'updatedAt:desc'),
        locale: deliveryLocale,
        include,
        filter: contentFilter,
        fields: fieldSelection,
      }),
    )
    .output(listOf(DeliveryEntry)),

  resolveRoute: delivery({
    openapi: deliveryRoute('/routes', {
      summary: 'Resolve a path',
      description:
        'The published page at a path, else the redirect that leads on. Where locales have path prefixes, the prefix names the locale.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
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
    .output(dataOf(RouteResult)),

  getSitemap: delivery({
    openapi: deliveryRoute('/sitemap', {
      summary: 'Read the sitemap',
      description: `Every published page of a site, as an XML sitemap or as JSON, ${limits.sitemapUrls} URLs at a time; \`Link\` names the next page.`,
      tags: ['Delivery'],
      streaming: {
        mediaType: 'application/xml',
        example:
          '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/locks</loc></url></urlset>',
      },
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: ['site_not_found', 'locale_not_found'],
  })
    .input(
      inSite({
        locale: z
          .string()
          .max(100)
          .optional()
          .meta({ description: 'Only pages of this locale; all locales when absent.', example: 'en' }),
        format: z
          .enum(['xml', 'json'])
          .default('xml')
          .meta({ description: 'Form of the answer.', example: 'json' }),
        page: z
          .int()
          .min(1)
          .max(limits.pageMaximum)
          .default(1)
          .meta({ description: 'Page, from 1.', example: 1 }),
      }),
    )
    .output(z.object({ data: z.array(SitemapUrl), meta: PageMeta })),
};
