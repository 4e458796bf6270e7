import type { Action } from '../../../contracts/rights.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { StoredNode } from './stored-node.js';
import { authorizeNode } from './tree-rights.js';
import { TreeLockRepository } from './tree-lock.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';

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
