import { AppError } from '../../../../contracts/errors.js';
import type { tree } from '../../../../contracts/routing/tree/tree.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TreeBranch, TreeNode } from '../../../../contracts/routing/tree/tree-node.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { NodePathRepository } from './node-path.repository.js';
import { TreeListRepository, type TreeQuery } from './tree-entry.repository.js';
import { authorizeNode, readableBranches } from './tree.policy.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { nestNodes, presentNode } from './stored-node.js';

type View = Omit<InputOf<typeof tree.getGlobal>, 'projectSlug'>;

async function nodesOf(
  work: UnitOfWork,
  catalog: Catalog,
  query: Omit<TreeQuery, 'branches'>,
): Promise<TreeNode[]> {
  const branches = await readableBranches(work, query.siteId);
  const nodes = await work.use(TreeListRepository).list({ ...query, branches });
  return nodes.map((node) => presentNode(node, catalog));
}

/** @throws AppError 404 `tree_node_not_found` if the parent is not readable or not in this tree */
async function nodesBelow(
  work: UnitOfWork,
  catalog: Catalog,
  { parentId, levels, ...query }: Omit<TreeQuery, 'branches'> & { readonly parentId: string },
): Promise<TreeNode[]> {
  const { id: top, siteId } = await work.use(TreeNodeRepository).find(parentId, 'parentId');
  if (siteId !== query.siteId) throw new AppError('tree_node_not_found');
  await authorizeNode(work, { siteId, nodeId: top }, 'read');
  const path = (await work.use(NodePathRepository).ofNodes([top])).get(top) ?? [];
  const branches = new Map([[top, path.length - 1]]);
  const nodes = await work
    .use(TreeListRepository)
    .list({ ...query, levels: levels === null ? null : path.length + levels, branches });
  return nodes.filter(({ id }) => id !== top).map((node) => presentNode(node, catalog));
}

async function viewOf(
  work: UnitOfWork,
  { catalog, siteId }: { catalog: Catalog; siteId: string | null },
  { locale, depth, flat, parentId }: View,
): Promise<{ data: TreeBranch[] }> {
  if (locale !== undefined && catalog.locale(locale) === undefined)
    throw new AppError('locale_not_found', { path: ['locale'], locale });
  const query = { siteId, locale: locale ?? null, levels: depth ?? null };
  const nodes =
    parentId === undefined
      ? await nodesOf(work, catalog, query)
      : await nodesBelow(work, catalog, { ...query, parentId });
  return { data: flat ? nodes : nestNodes(nodes) };
}

function siteIdOf(catalog: Catalog, slug: string): string {
  const site = catalog.siteBySlug(slug);
  if (site === undefined) throw new AppError('site_not_found');
  return site.id;
}

export async function getSiteTree(
  work: UnitOfWork,
  input: InputOf<typeof tree.get>,
): Promise<{ data: TreeBranch[] }> {
  const catalog = await work.use(CatalogRepository).current();
  return viewOf(work, { catalog, siteId: siteIdOf(catalog, input.siteSlug) }, input);
}

export async function getGlobalTree(
  work: UnitOfWork,
  input: InputOf<typeof tree.getGlobal>,
): Promise<{ data: TreeBranch[] }> {
  const catalog = await work.use(CatalogRepository).current();
  return viewOf(work, { catalog, siteId: null }, input);
}

export async function listTreeNodes(
  work: UnitOfWork,
  input: InputOf<typeof tree.listNodes>,
): Promise<{ data: TreeNode[] }> {
  const catalog = await work.use(CatalogRepository).current();
  const siteId = siteIdOf(catalog, input.siteSlug);
  return { data: await nodesOf(work, catalog, { siteId, locale: null, levels: null }) };
}
