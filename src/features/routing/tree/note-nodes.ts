import type { OutboxEvent, Snapshot } from '../../../persistence/work/unit-of-work.js';
import type { MovedNode, StoredNode } from './stored-node.js';
import type { TreeNodeRepository } from './tree-node.repository.js';

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
