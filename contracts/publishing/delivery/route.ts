import { z } from 'zod';
import { Redirect } from '../../routing/redirects/redirect.js';
import { ContentEntry, DeliveryEntry } from './content-entry.js';
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

export const RoutePath = z.string().max(8192).regex(/^\//, 'must start with "/"').meta({
  description:
    'Path of the site, percent-encoded or not. Fragment and trailing slash are ignored, as is the query except by redirects.',
  example: '/about/team',
});

/** Rule delivery/routes. An unknown path is 404 `route_not_found`, one that is gone 410 `route_gone`. */
export const RouteResult = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('entry'), entry: DeliveryEntry }),
    z.object({
      kind: z.literal('redirect'),
      target: z
        .string()
        .meta({ description: 'Target path with query and fragment, or an https URL.', example: '/about' }),
      status: z.int().meta({ description: 'HTTP status of the redirect.', example: 301 }),
    }),
  ])
  .meta({ id: 'RouteResult', description: 'A page or a redirect.' });
export type RouteResult = z.infer<typeof RouteResult>;

/** {@link RouteResult} with one shape for both kinds. */
export const RouteResolution = z
  .object({
    kind: z.enum(['entry', 'redirect']).meta({ description: 'entry or redirect.' }),
    entry: ContentEntry.nullable().meta({ description: 'Entry at the path. Null for a redirect.' }),
    target: z
      .string()
      .nullable()
      .meta({ description: 'Target path or URL of a redirect. Null for an entry.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of a redirect. Null for an entry.' }),
  })
  .meta({ id: 'RouteResolution', description: 'The entry or the redirect at a path.' });

/** An active redirect as delivery lists it (rule delivery/redirects). */
export const SiteRedirect = z
  .object({
    source: z.string().meta({
      description:
        'Path that is left, with the prefix of its locale if the site uses them, and the query that a request must have. With `regex` a pattern.',
      example: '/old-locks',
    }),
    target: z.string().nullable().meta({
      description:
        'Target path or URL. With `regex`, `$1` to `$9` insert the groups of the pattern. Null with status 410.',
      example: '/locks',
    }),
    status: z.int().meta({ description: 'HTTP status: 301, 302, 307, 308 or 410.', example: 301 }),
    matchType: Redirect.shape.matchType,
    queryMatch: Redirect.shape.queryMatch,
    locale: Redirect.shape.locale,
  })
  .meta({ id: 'SiteRedirect', description: 'An active redirect of a site.' });
export type SiteRedirect = z.infer<typeof SiteRedirect>;
