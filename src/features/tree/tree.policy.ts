import { AppError, invalidInput } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { StoredNode } from './stored-node.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import type { TreeId } from './tree-lock.repository.js';

/** @throws AppError 409 `version_conflict` if a version is given and outdated */
export function assertNodeVersion(node: StoredNode, version: number | undefined): void {
  if (version === undefined || version === node.version) return;
  const { version: currentVersion, updatedAt } = node;
  const details = { expectedVersion: version, currentVersion, updatedAt: updatedAt.toISOString() };
  throw new AppError('version_conflict', details, 'The node has changed since the version you sent.');
}

/** @throws AppError 422 for a parent in another tree or a link */
export function assertParent(parent: StoredNode, treeId: TreeId, key: string): void {
  if (parent.siteId !== treeId) {
    throw invalidInput({ path: [key], code: 'other_tree', message: 'The node belongs to another tree.' });
  }
  if (parent.type === 'link')
    throw invalidInput({ path: [key], code: 'link_has_no_children', message: 'A link has no children.' });
}

/**
 * A node must not move below itself or exceed the maximum depth.
 * @throws AppError 409 `tree_cycle`, 422 `limit_reached`
 */
export async function assertRoomBelow(
  work: UnitOfWork,
  nodeId: string | null,
  parentId: string | null,
): Promise<void> {
  if (parentId === null) return;
  const nodes = work.use(TreeNodeRepository);
  const { ancestorIds } = await nodes.branchOf(parentId);
  if (nodeId !== null && ancestorIds.includes(nodeId)) throw new AppError('tree_cycle');
  const height = nodeId === null ? 0 : (await nodes.branchOf(nodeId)).height;
  if (ancestorIds.length + height + 1 > limits.treeDepth) {
    throw new AppError('limit_reached', { limit: limits.treeDepth }, 'The tree would become too deep.');
  }
}
