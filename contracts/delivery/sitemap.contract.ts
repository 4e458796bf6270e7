import { z } from 'zod';
import { PageMeta } from '../envelopes.js';
import { limits } from '../limits.js';
import { delivery, deliveryRoute, inSite } from '../operation.js';
import { Timestamp } from '../primitives.js';

/** A published page in one locale (decisions 2.13). */
export const SitemapUrl = z
  .object({
    loc: z.string().meta({
      description: 'Absolute address; the path alone where the site has neither baseUrl nor domain.',
      example: 'https://www.example.com/about',
    }),
    path: z.string(),
    locale: z.string(),
    entryId: z.string(),
    contentTypeApiName: z.string(),
    siteId: z.string(),
    lastModified: Timestamp,
    alternates: z.array(z.object({ hreflang: z.string(), href: z.string() })).meta({
      description: 'The page in every locale that it is published in, itself included, and x-default.',
    }),
  })
  .meta({ id: 'SitemapUrl', description: 'A published page in one locale.' });
export type SitemapUrl = z.infer<typeof SitemapUrl>;

/** Lists the published pages of a site for search engines. REST streams it, as XML unless told otherwise. */
export const getSitemap = delivery({
  openapi: deliveryRoute('/sitemap', {
    summary: 'Read the sitemap',
    description: `Every published page of a site, as an XML sitemap or as JSON, ${limits.sitemapUrls} URLs at a time; \`Link\` names the next page.`,
    tags: ['Delivery'],
    streamed: {
      mediaType: 'application/xml',
      example:
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/locks</loc></url></urlset>',
    },
  }),
  resource: 'entries',
  action: 'read',
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
  .output(z.object({ data: z.array(SitemapUrl), meta: PageMeta }));
