import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { StoredNode } from './stored-node.js';
import { TreeLockRepository, type TreeId } from './tree-lock.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { assertParent } from './tree.policy.js';

/**
 * Locks no tree, so the parent may still change: see {@link lockParent}.
 * @throws AppError 404 `tree_node_not_found`, 422 for a link
 */
export async function findParent(work: UnitOfWork, id: string): Promise<StoredNode> {
  const parent = await work.use(TreeNodeRepository).find(id, 'treeParentId');
  assertParent(parent, parent.siteId, 'treeParentId');
  return parent;
}

/**
 * Locks the tree of `treeParentId`.
 * @throws AppError 404 `tree_node_not_found`, 422 for a link
 */
export async function lockParent(work: UnitOfWork, id: string): Promise<StoredNode> {
  const { siteId } = await work.use(TreeNodeRepository).find(id, 'treeParentId');
  await work.use(TreeLockRepository).lock([siteId], 'exclusive');
  return confirmParent(work, id, siteId);
}

/**
 * Finds a parent again after its tree was locked.
 * @throws AppError 404 `tree_node_not_found`, 422 for a link or a node of another tree
 */
export async function confirmParent(work: UnitOfWork, id: string, treeId: TreeId): Promise<StoredNode> {
  const parent = await work.use(TreeNodeRepository).find(id, 'treeParentId');
  assertParent(parent, treeId, 'treeParentId');
  return parent;
}
