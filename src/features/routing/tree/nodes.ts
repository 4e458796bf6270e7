import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { tree } from '../../../../contracts/routing/tree/tree.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { TreeBranch, TreeNode, PathMeta } from '../../../../contracts/routing/tree/tree-node.js';
import type { Action } from '../../../../contracts/rights.js';
import type { Deleted } from '../../../../contracts/envelopes.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { NodePathRepository, PathRedirectRepository } from './node-path.repository.js';
import { TreeListRepository, type TreeQuery } from './tree-entry.repository.js';
import {
  authorizeNode,
  readableBranches,
  assertNodesEditable,
  authorizeMove,
  assertRoomBelow,
  assertNodeVersion,
  assertParent,
} from './tree.policy.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { nestNodes, presentNode, type StoredNode } from './stored-node.js';
import { TreeLockRepository } from './tree-lock.repository.js';
import { noteDeleted, noteLifted, removeNodes, relocateNode } from './place-node.js';
import { RouteRepository } from './route.repository.js';
import { TreeOrderRepository } from './tree-order.repository.js';

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

/**
 * Locks the node's tree until the end of the transaction.
 * @throws AppError 404 `tree_node_not_found`, 403 `permission_denied`
 */
export async function lockNode(work: UnitOfWork, id: string, action: Action): Promise<StoredNode> {
  const nodes = work.use(TreeNodeRepository);
  const { siteId } = await nodes.find(id);
  await authorizeNode(work, { siteId, nodeId: id.toLowerCase() }, action);
  await work.use(TreeLockRepository).lock([siteId], 'exclusive');
  // It may have changed while this unit of work waited.
  return nodes.find(id);
}

/** A node with children requires `children`. */
export async function deleteTreeNode(
  work: UnitOfWork,
  input: InputOf<typeof tree.deleteNode>,
): Promise<{ data: Deleted; meta: PathMeta }> {
  const node = await lockNode(work, input.id, 'delete');
  const nodes = work.use(TreeNodeRepository);
  if (input.children === undefined && (await nodes.hasChildren(node.id)))
    throw new AppError('node_has_children');
  const catalog = await work.use(CatalogRepository).current();
  const was = presentNode(await nodes.read(node.id), catalog);
  const lifted = input.children === 'lift' ? await work.use(TreeOrderRepository).lift(node) : [];
  const below = await nodes.descendants(node.id);
  await assertNodesEditable(work, catalog, [node, ...below]);
  await removeNodes(work, node.siteId, [node, ...below]);
  const changes = await work.use(RouteRepository).refresh(lifted.map(({ after }) => after.id));
  const meta = await work.use(PathRedirectRepository).redirect(changes, input.createRedirects);
  nodes.note({ action: 'tree_node.delete', node, before: { ...was }, after: null });
  noteDeleted({ nodes, emit: work.emit }, below);
  noteLifted({ nodes, emit: work.emit }, lifted);
  work.emit({
    type: 'tree.node_deleted',
    data: { nodeId: node.id, siteId: node.siteId, entryId: node.entryId, children: input.children ?? null },
  });
  return { data: { id: node.id, deleted: true }, meta };
}

export async function getTreeNode(
  work: UnitOfWork,
  input: InputOf<typeof tree.getNode>,
): Promise<{ data: TreeNode }> {
  const nodes = work.use(TreeNodeRepository);
  const { id, siteId } = await nodes.find(input.id);
  await authorizeNode(work, { siteId, nodeId: id }, 'read');
  const catalog = await work.use(CatalogRepository).current();
  return { data: presentNode(await nodes.read(id), catalog) };
}

type Input = InputOf<typeof tree.moveNode>;

/** At most one position, not relative to the node itself. */
function assertPosition({ id, position, beforeId, afterId }: Input): void {
  const given = Object.entries({ position, beforeId, afterId }).filter(([, value]) => value !== undefined);
  const [, [extra] = []] = given;
  if (extra !== undefined) {
    const message = 'Send only one of position, beforeId and afterId.';
    throw invalidInput({ path: [extra], code: 'ambiguous_place', message });
  }
  const itself = given.find(
    ([, value]) => typeof value === 'string' && value.toLowerCase() === id.toLowerCase(),
  );
  if (itself !== undefined)
    throw invalidInput({
      path: [itself[0]],
      code: 'not_a_sibling',
      message: 'A node cannot be moved beside itself.',
    });
}

/** Moves a node with its descendants. A no-op if it is already there. */
export async function moveTreeNode(
  work: UnitOfWork,
  input: Input,
): Promise<{ data: TreeNode; meta: PathMeta }> {
  assertPosition(input);
  const before = await lockNode(work, input.id, 'update');
  assertNodeVersion(before, input.version);
  const catalog = await work.use(CatalogRepository).current();
  await assertNodesEditable(work, catalog, [before]);
  const nodes = work.use(TreeNodeRepository);
  const parent = input.parentId === null ? null : await nodes.find(input.parentId, 'parentId');
  if (parent !== null) assertParent(parent, before.siteId, 'parentId');
  const parentId = parent?.id ?? null;
  const isSameParent = parentId === before.parentId;
  const { siteId, entryId } = before;
  if (!isSameParent) await authorizeMove(work, { siteId, nodeId: before.id, entryId, parentId });
  if (!isSameParent) await assertRoomBelow(work, before.id, parentId);
  const was = presentNode(await nodes.read(before.id), catalog);
  if (isSameParent && (await work.use(TreeOrderRepository).isAt(before, input)))
    return { data: was, meta: { affected: 0, redirectsCreated: 0 } };
  const { after, changes } = await relocateNode(work, { before, parentId }, input);
  const meta = await work.use(PathRedirectRepository).redirect(changes, input.createRedirects);
  const data = presentNode(await nodes.read(after.id), catalog);
  nodes.note({ action: 'tree_node.move', node: after, before: { ...was }, after: { ...data } });
  work.emit({
    type: 'tree.node_moved',
    data: { nodeId: data.id, siteId: data.siteId, entryId: data.entryId, path: data.path, ...meta },
  });
  return { data, meta };
}
