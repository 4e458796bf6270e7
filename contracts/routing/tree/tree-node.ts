import { z } from 'zod';
import { limits } from '../../limits.js';
import {
  CONTROL_CHARACTERS,
  EntrySlug,
  expectedVersion,
  Id,
  Name,
  observed,
  Timestamp,
  keysIn,
} from '../../primitives.js';
import { EntryStatus } from '../../entries/entries/entry.js';

/** A page has an entry, a folder a path segment, a link a URL. */
const TreeNodeType = z.enum(['page', 'folder', 'link']).meta({
  description: 'page: the position of an entry; folder: a path segment; link: a URL, without a route.',
});

const nodeShape = {
  id: z.string(),
  siteId: z.string().nullable().meta({ description: 'Null in the global tree.' }),
  parentId: z.string().nullable(),
  entryId: z.string().nullable(),
  entryStatus: EntryStatus.nullable().meta({
    description: 'Status of the entry in the locale of the name. Null without an entry.',
  }),
  type: TreeNodeType,
  name: z.string().meta({ description: 'Name of the node, otherwise the title of its entry.' }),
  slug: z
    .string()
    .nullable()
    .meta({ description: 'Path segment. A page uses the slug of its entry; a link has none.' }),
  url: z.string().nullable().meta({ description: 'Target of a link.' }),
  position: z.int().meta({ description: 'Position among its siblings, from 0 without gaps.' }),
  depth: z.int().meta({ description: 'Number of ancestors.' }),
  path: z.record(z.string(), z.string()).meta({
    description: 'Path by locale, published or not. Empty for links and in the global tree.',
    example: { en: '/about/team' },
  }),
  hideInMenu: z.boolean(),
  childCount: observed(z.int()),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** Rule routing/tree. */
export const TreeNode = z.object(nodeShape).meta({ id: 'TreeNode', description: 'A node of a tree.' });
export type TreeNode = z.infer<typeof TreeNode>;

/** Children to the requested depth; a flat list omits `children`. */
export interface TreeBranch extends TreeNode {
  children?: TreeBranch[] | undefined;
}
export const TreeBranch: z.ZodType<TreeBranch> = z
  .object({
    ...nodeShape,
    get children() {
      return z.array(TreeBranch).optional().meta({ description: 'Omitted in a flat list.', example: [] });
    },
  })
  .meta({ id: 'TreeBranch', description: 'A node of a tree with its children.' });

const position = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .optional()
  .meta({ description: 'Position among the siblings, from 0. Defaults to last.', example: 0 });
const LinkUrl = z
  .string()
  .max(limits.urlLength)
  .regex(
    new RegExp(String.raw`^(?:https?://|mailto:|tel:|/|#)[^\s${CONTROL_CHARACTERS}]*$`),
    'must be a path or an http, mailto or tel address',
  )
  .meta({ description: 'Target of a link. Only for links.', example: 'https://example.com/shop' });
const NodeSlug = EntrySlug.meta({ description: 'Path segment of a folder.', example: 'about' });

/** For every change that moves paths. */
export const createRedirects = z.boolean().default(true).meta({
  description: 'Whether old paths of published pages redirect to the new ones.',
  example: true,
});

export const treeNodeInput = {
  siteId: Id.nullish().meta({
    description:
      "The site's tree; null is the global tree. Absent: that of the parent or of the entry, else the global one.",
  }),
  parentId: Id.nullish().meta({ description: 'Parent node. Defaults to the root.' }),
  entryId: Id.nullish().meta({ description: 'Entry of the node. Makes the node a page.' }),
  type: TreeNodeType.optional().meta({
    description: 'Defaults to a page with `entryId`, a link with `url`, otherwise a folder.',
  }),
  name: Name.nullish().meta({
    description: 'Display name. A page defaults to the title of its entry.',
    example: 'About us',
  }),
  slug: NodeSlug.optional(),
  url: LinkUrl.nullish(),
  position,
  hideInMenu: z.boolean().optional().meta({ description: 'Hides the node from menus.', example: false }),
};

/** Omitted keys are unchanged, null clears. */
export const treeNodeChange = {
  name: Name.nullish(),
  slug: NodeSlug.optional(),
  url: LinkUrl.nullish(),
  hideInMenu: z.boolean().optional(),
  version: expectedVersion("the node's"),
};

export const treeNodeMove = {
  parentId: Id.nullable().meta({ description: 'New parent. Null means the root of the same tree.' }),
  position,
  beforeId: Id.optional().meta({ description: 'Sibling to insert the node before.' }),
  afterId: Id.optional().meta({ description: 'Sibling to insert the node after.' }),
  version: expectedVersion("the node's"),
};

/** At most one of the keys that name a place among siblings. */
export const onePlace = {
  if: keysIn('position'),
  then: { not: { anyOf: [keysIn('beforeId'), keysIn('afterId')] } },
  else: { not: keysIn('beforeId', 'afterId') },
  examples: [{ parentId: null, position: 0 }],
};

export const PathMeta = z
  .object({
    affected: z.int().meta({ description: 'Number of nodes whose path changed.' }),
    redirectsCreated: z
      .int()
      .meta({ description: 'Number of redirects created from old paths of published pages.' }),
  })
  .meta({ id: 'PathMeta', description: 'Effect of a change on paths.' });
export type PathMeta = z.infer<typeof PathMeta>;
