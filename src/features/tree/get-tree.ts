import { AppError } from '../../../contracts/errors.js';
import type { tree } from '../../../contracts/management/tree.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { TreeBranch, TreeNode } from '../../../contracts/resources/tree-node.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { TreeListRepository, type TreeQuery } from './tree-list.repository.js';
import { readableBranches } from './tree-rights.js';
import { nestNodes, presentNode } from './tree-node.presenter.js';

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

async function viewOf(
  work: UnitOfWork,
  { catalog, siteId }: { catalog: Catalog; siteId: string | null },
  { locale, depth, flat }: View,
): Promise<{ data: TreeBranch[] }> {
  if (locale !== undefined && catalog.locale(locale) === undefined)
    throw new AppError('locale_not_found', { path: ['locale'], locale });
  const nodes = await nodesOf(work, catalog, { siteId, locale: locale ?? null, levels: depth ?? null });
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
