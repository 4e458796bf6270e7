export { getTreeNode, moveTreeNode } from './nodes.js';
export { TreeEntryRepository, type EntryPlace } from './tree-entry.repository.js';
export { confirmParent, findParent, lockParent } from './place-node.js';
export { authorizeMove, assertRoomBelow } from './tree.policy.js';
export { EntryTreeRepository } from './entry-tree.repository.js';
export { NodePathRepository, RouteCheckRepository } from './node-path.repository.js';
export { slugReserved } from './reserved-path.repository.js';
export type { TreeLockMode } from './tree-lock.repository.js';
