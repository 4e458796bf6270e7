import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { StoredNode } from './stored-node.js';
import { TreeLockRepository } from './tree-lock.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { assertParent } from './tree.policy.js';

/**
 * Locks the tree of `treeParentId`.
 * @throws AppError 404 `tree_node_not_found`, 422 for a link
 */
export async function lockParent(work: UnitOfWork, id: string): Promise<StoredNode> {
  const nodes = work.use(TreeNodeRepository);
  const { siteId } = await nodes.find(id, 'treeParentId');
  await work.use(TreeLockRepository).lock([siteId], 'exclusive');
  const parent = await nodes.find(id, 'treeParentId');
  assertParent(parent, siteId, 'treeParentId');
  return parent;
}
