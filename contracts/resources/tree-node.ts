import { z } from 'zod';
import { limits } from '../limits.js';
import { EntrySlug, Id, Name, Timestamp, Version } from '../primitives.js';

/** What a node is: an entry's place, a segment of paths, or an address elsewhere. */
const TreeNodeType = z.enum(['page', 'folder', 'link']).meta({
  description: 'page: the position of an entry; folder: a path segment; link: a URL, without a route.',
});

const nodeShape = {
  id: z.string(),
  siteId: z.string().nullable().meta({ description: 'Null in the global tree.' }),
  parentId: z.string().nullable(),
  entryId: z.string().nullable(),
  type: TreeNodeType,
  name: z.string().meta({ description: 'Its own name, else the title of its entry.' }),
  slug: z
    .string()
    .nullable()
    .meta({ description: 'Path segment; a page has that of its entry, a link none.' }),
  url: z.string().nullable().meta({ description: 'Target of a link.' }),
  position: z.int().meta({ description: 'Place among its siblings, from 0 without gaps.' }),
  depth: z.int().meta({ description: 'Nodes above it.' }),
  path: z.record(z.string(), z.string()).meta({
    description: 'Path by locale, published or not; empty for links and in the global tree.',
    example: { en: '/about/team' },
  }),
  hideInMenu: z.boolean(),
  childCount: z.int(),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** A node without what hangs below it (decisions 2.12). */
export const TreeNode = z.object(nodeShape).meta({ id: 'TreeNode', description: 'A node of a tree.' });
export type TreeNode = z.infer<typeof TreeNode>;

/** A node with its children, as far down as was asked for. A flat list leaves `children` away. */
export interface TreeBranch extends TreeNode {
  children?: TreeBranch[] | undefined;
}
export const TreeBranch: z.ZodType<TreeBranch> = z
  .object({
    ...nodeShape,
    get children() {
      return z.array(TreeBranch).optional().meta({ description: 'Absent in a flat list.', example: [] });
    },
  })
  .meta({ id: 'TreeBranch', description: 'A node of a tree with its children.' });

const position = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .optional()
  .meta({ description: 'Place among the siblings, from 0; last when absent or past the end.', example: 0 });
const LinkUrl = z
  .string()
  .max(limits.urlLength)
  .regex(
    /^(?:https?:\/\/|mailto:|tel:|\/|#)[^\s\p{Cc}]*$/u,
    'must be a path or an http, mailto or tel address',
  )
  .meta({ description: 'Where a link leads; only links have one.', example: 'https://example.com/shop' });
const NodeSlug = EntrySlug.meta({ description: 'Path segment of a folder.', example: 'about' });

/** Whether old paths of published pages lead to the new ones; of every change that moves paths. */
export const createRedirects = z.boolean().default(true).meta({
  description: 'Whether old paths of published pages redirect to the new ones.',
  example: true,
});

/** Keys of a new node. */
export const treeNodeInput = {
  siteId: Id.nullish().meta({
    description:
      "The site's tree; null is the global tree. Absent: that of the parent or of the entry, else the global one.",
  }),
  parentId: Id.nullish().meta({ description: 'Node to place it under; at the root when absent.' }),
  entryId: Id.nullish().meta({ description: 'Entry at this position; it makes the node a page.' }),
  type: TreeNodeType.optional().meta({
    description: 'Absent: a page with `entryId`, a link with `url`, else a folder.',
  }),
  name: Name.nullish().meta({
    description: 'Display name; a page without one has the title of its entry.',
    example: 'About us',
  }),
  slug: NodeSlug.optional(),
  url: LinkUrl.nullish(),
  position,
  hideInMenu: z.boolean().optional().meta({ description: 'Keeps the node out of menus.', example: false }),
};

/** Keys of a change: omitted is untouched, null clears. */
export const treeNodeChange = {
  name: Name.nullish(),
  slug: NodeSlug.optional(),
  url: LinkUrl.nullish(),
  hideInMenu: z.boolean().optional(),
  version: Version.optional().meta({
    description: "Fail with 409 unless this is the node's current version.",
  }),
};

/** Keys of a move. */
export const treeNodeMove = {
  parentId: Id.nullable().meta({ description: 'The new parent; null is the root of the same tree.' }),
  position,
  beforeId: Id.optional().meta({ description: 'Sibling to place it before.' }),
  afterId: Id.optional().meta({ description: 'Sibling to place it after.' }),
  version: Version.optional().meta({
    description: "Fail with 409 unless this is the node's current version.",
  }),
};

/** What a change did to paths. */
export const PathMeta = z
  .object({
    affected: z.int().meta({ description: 'Nodes whose path changed.' }),
    redirectsCreated: z.int().meta({ description: 'Redirects made from old paths of published pages.' }),
  })
  .meta({ id: 'PathMeta', description: 'What a change did to paths.' });
export type PathMeta = z.infer<typeof PathMeta>;
