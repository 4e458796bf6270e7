import { z } from 'zod';
import { Timestamp } from '../../primitives.js';

/** Rule delivery/sitemap. */
export const SitemapUrl = z
  .object({
    loc: z.string().meta({
      description: 'Absolute URL, or the path if the site has neither baseUrl nor domain.',
      example: 'https://www.example.com/about',
    }),
    path: z.string(),
    locale: z.string(),
    entryId: z.string(),
    contentTypeApiName: z.string(),
    siteId: z.string(),
    lastModified: Timestamp,
    alternates: z.array(z.object({ hreflang: z.string(), href: z.string() })).meta({
      description:
        'The page in every locale that it is published in, and x-default. Locales that show it by fallback are omitted.',
    }),
  })
  .meta({ id: 'SitemapUrl', description: 'A published page in one locale.' });
export type SitemapUrl = z.infer<typeof SitemapUrl>;
