import type { Action } from '../../../contracts/rights.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { StoredNode } from './stored-node.js';
import { authorizeNode } from './tree-rights.js';
import { TreeLockRepository } from './tree-lock.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';

/**
 * A node with its tree held, so that nothing of the tree changes until the end of this work.
 * @throws AppError 404 `tree_node_not_found`, `permission_denied` for a site that the key may not write
 */
export async function lockNode(work: UnitOfWork, id: string, action: Action): Promise<StoredNode> {
  const nodes = work.use(TreeNodeRepository);
  const { siteId } = await nodes.find(id);
  await authorizeNode(work, { siteId, nodeId: id.toLowerCase() }, action);
  await work.use(TreeLockRepository).lock([siteId], 'exclusive');
  // Another work may have changed or removed it while this one waited.
  return nodes.find(id);
}
