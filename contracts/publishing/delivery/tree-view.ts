import { z } from 'zod';
import { limits } from '../../limits.js';
import { deliveryLocale } from './parameters.js';

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
