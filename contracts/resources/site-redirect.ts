import { z } from 'zod';
import { Redirect } from './redirect.js';

/** An active redirect as delivery lists it (decisions 3.10). */
export const SiteRedirect = z
  .object({
    source: z.string().meta({
      description:
        'Path that is left, with the prefix of its locale if the site uses them. With `regex` a pattern.',
      example: '/old-locks',
    }),
    target: z.string().meta({
      description: 'Target path. With `regex`, `$1` to `$9` insert the groups of the pattern.',
      example: '/locks',
    }),
    status: z.int().meta({ description: 'HTTP status: 301, 302, 307 or 308.', example: 301 }),
    matchType: Redirect.shape.matchType,
    locale: Redirect.shape.locale,
  })
  .meta({ id: 'SiteRedirect', description: 'An active redirect of a site.' });
export type SiteRedirect = z.infer<typeof SiteRedirect>;
