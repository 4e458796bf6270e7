import { z } from 'zod';
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
