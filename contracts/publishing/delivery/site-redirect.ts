import { z } from 'zod';
import { Redirect } from '../../routing/redirects/redirect.js';

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
