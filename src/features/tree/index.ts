export { moveTreeNode } from './move-tree-node.js';
export { TreeEntryRepository } from './tree-entry.repository.js';
export { confirmParent, findParent, lockParent } from './lock-parent.js';
export { assertRoomBelow } from './tree.policy.js';
export { EntryTreeRepository } from './entry-tree.repository.js';
export type { EntryPlace } from './tree-entry.repository.js';
export { NodePathRepository } from './node-path.repository.js';
export type { TreeLockMode } from './tree-lock.repository.js';
export { RouteCheckRepository } from './route-check.repository.js';
