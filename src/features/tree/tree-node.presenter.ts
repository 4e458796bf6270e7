import type { TreeBranch, TreeNode } from '../../../contracts/resources/tree-node.js';
import type { Catalog } from '../../content/catalog.js';
import { publicPath } from '../../content/route-path.js';
import type { PlacedNode } from './stored-node.js';

export function presentNode(node: PlacedNode, catalog: Catalog): TreeNode {
  const { entryTitle, entrySlug, paths, createdAt, updatedAt, ...own } = node;
  const site = node.siteId === null ? undefined : catalog.site(node.siteId);
  const slug = node.entryId === null ? node.slug : entrySlug;
  return {
    ...own,
    name: node.name ?? entryTitle ?? slug ?? node.id,
    slug,
    path: Object.fromEntries(
      (site?.locales ?? [])
        .filter((locale) => locale in paths)
        .map((locale) => [locale, site === undefined ? '' : publicPath(site, locale, paths[locale] ?? '')]),
    ),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function nestNodes(nodes: readonly TreeNode[]): TreeBranch[] {
  const branches = new Map<string, TreeBranch>(nodes.map((node) => [node.id, { ...node, children: [] }]));
  const roots: TreeBranch[] = [];
  for (const branch of branches.values()) {
    const parent = branch.parentId === null ? undefined : branches.get(branch.parentId);
    (parent?.children ?? roots).push(branch);
  }
  return roots;
}
