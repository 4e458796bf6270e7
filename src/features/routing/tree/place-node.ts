import type { OutboxEvent, Snapshot, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { MovedNode, StoredNode } from './stored-node.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import { RouteRepository, type PathChange } from './route.repository.js';
import { TreeEntryRepository } from './tree-entry.repository.js';
import { TreeOrderRepository, type SiblingPosition } from './tree-order.repository.js';
import { TreeLockRepository, type TreeId } from './tree-lock.repository.js';
import { assertParent } from './tree.policy.js';

interface Recorder {
  readonly nodes: TreeNodeRepository;
  emit(event: OutboxEvent): void;
}

const snapshotOf = ({ createdAt, updatedAt, ...node }: StoredNode): Snapshot => ({
  ...node,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const dataOf = ({ id, siteId, parentId, entryId }: StoredNode) => ({ nodeId: id, siteId, parentId, entryId });

/** Records nodes that were created along with their entries. */
export function noteCreated({ nodes, emit }: Recorder, created: readonly StoredNode[]): void {
  for (const node of created) {
    nodes.note({ action: 'tree_node.create', node, before: null, after: snapshotOf(node), isAlong: true });
    emit({ type: 'tree.node_created', data: dataOf(node) });
  }
}

/** Records nodes that were deleted along with their parent or their entry. */
export function noteDeleted({ nodes, emit }: Recorder, deleted: readonly StoredNode[]): void {
  for (const node of deleted) {
    nodes.note({ action: 'tree_node.delete', node, before: snapshotOf(node), after: null, isAlong: true });
    emit({ type: 'tree.node_deleted', data: dataOf(node) });
  }
}

/** Records nodes that moved up because their parent was removed. */
export function noteLifted({ nodes, emit }: Recorder, lifted: readonly MovedNode[]): void {
  for (const { before, after } of lifted) {
    const states = { before: snapshotOf(before), after: snapshotOf(after) };
    nodes.note({ action: 'tree_node.move', node: after, ...states, isAlong: true });
    emit({ type: 'tree.node_moved', data: dataOf(after) });
  }
}

/** Inserts a node and its routes. Requires the tree's lock. */
export async function placeNode(
  work: Pick<UnitOfWork, 'use'>,
  node: StoredNode,
  position: SiblingPosition,
): Promise<void> {
  const rank = await work.use(TreeOrderRepository).rankFor(node, position, null);
  await work.use(TreeNodeRepository).insert(node, rank);
  if (node.siteId === null) return;
  const routes = work.use(RouteRepository);
  if (node.entryId !== null) {
    await work.use(TreeEntryRepository).setInTree([node.entryId], true);
    await routes.dropHomeOf(node.siteId, node.entryId);
  }
  await routes.refresh([node.id]);
}

/** Changes parent or position. Requires the tree's lock and a valid place. */
export async function relocateNode(
  work: Pick<UnitOfWork, 'use' | 'now'>,
  { before, parentId }: { before: StoredNode; parentId: string | null },
  position: SiblingPosition,
): Promise<{ after: StoredNode; changes: PathChange[] }> {
  const { version, siteId, id } = before;
  const after: StoredNode = { ...before, parentId, version: version + 1, updatedAt: work.now };
  const rank = await work.use(TreeOrderRepository).rankFor(after, position, id);
  await work.use(TreeNodeRepository).move(after, rank);
  const keepsPaths = siteId === null || parentId === before.parentId;
  return { after, changes: keepsPaths ? [] : await work.use(RouteRepository).refresh([id]) };
}

/** Requires the tree's lock. No removed node may have remaining children. */
export async function removeNodes(
  work: Pick<UnitOfWork, 'use'>,
  siteId: string | null,
  removed: readonly { readonly id: string; readonly entryId: string | null }[],
): Promise<void> {
  await work.use(TreeNodeRepository).remove(removed.map(({ id }) => id));
  if (siteId === null) return;
  await work.use(TreeEntryRepository).setInTree(
    removed.flatMap(({ entryId }) => entryId ?? []),
    false,
  );
  await work.use(RouteRepository).refreshHome(siteId);
}

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
