import { z } from 'zod';
import { Redirect } from '../../routing/redirects/redirect.js';
import { ContentEntry, DeliveryEntry } from './content-entry.js';
import { Timestamp } from '../../primitives.js';
import { TreeNode } from '../../routing/tree/tree-node.js';
import { limits } from '../../limits.js';
import { deliveryLocale } from './parameters.js';

const nodeShape = {
  id: z.string().meta({ description: 'Id of the tree node.' }),
  type: TreeNode.shape.type,
  name: z.string().meta({ description: 'Name of the node, otherwise the title of its entry.' }),
  slug: z.string().nullable().meta({ description: 'Path segment. Null for links.' }),
  path: z.string().nullable().meta({
    description:
      'Where the node leads: the path of a page, the URL of a link. Null for folders, and for pages without a route.',
    example: '/about/team',
  }),
  entryId: z.string().nullable().meta({ description: 'Entry of a page.' }),
  contentTypeApiName: z.string().nullable().meta({ description: 'Content type of the entry.' }),
};

/** A published node of a site's tree (rule delivery/tree). */
export interface SiteTreeNode extends z.infer<z.ZodObject<typeof nodeShape>> {
  children: SiteTreeNode[];
}
export const SiteTreeNode: z.ZodObject<typeof nodeShape & { children: z.ZodType<SiteTreeNode[]> }> = z
  .object({
    ...nodeShape,
    get children(): z.ZodType<SiteTreeNode[]> {
      return z.array(SiteTreeNode).meta({ description: 'Published nodes below, in order.', example: [] });
    },
  })
  .meta({ id: 'SiteTreeNode', description: "A published node of a site's tree." });

/** Parameters of a published tree (rule delivery/tree). */
export const treeView = {
  locale: deliveryLocale,
  root: z
    .string()
    .max(8192)
    .regex(
      /^(?:\/.*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/isu,
      'must be a path that starts with "/" or the id of a node',
    )
    .optional()
    .meta({
      description:
        'Path or id of a node. The response has this node at the top. Defaults to all nodes of the top level.',
      example: '/about',
    }),
  depth: z
    .int()
    .min(1)
    .max(limits.siteTreeDepth)
    .default(limits.siteTreeDepth)
    .meta({ description: 'Number of levels to return, starting at the top of the response.', example: 2 }),
  menu: z
    .boolean()
    .default(false)
    .meta({ description: 'Leave out nodes that are hidden in menus, with all below them.', example: true }),
};

/** Rule delivery/sitemap. */
export const SitemapUrl = z
  .object({
    loc: z.string().meta({
      description: 'Absolute URL, or the path if the site has neither baseUrl nor domain.',
      example: 'https://www.example.com/about',
    }),
    path: z.string().meta({ description: 'Path of the page.', example: '/locks/upper' }),
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
    z.object({
      kind: z.literal('entry').meta({ description: 'The path belongs to an entry.' }),
      entry: DeliveryEntry,
    }),
    z.object({
      kind: z.literal('redirect').meta({ description: 'The path is redirected.' }),
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
