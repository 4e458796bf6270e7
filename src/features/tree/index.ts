export { createTreeNode } from './create-tree-node.js';
export { deleteTreeNode } from './delete-tree-node.js';
export { getGlobalTree, getSiteTree, listTreeNodes } from './get-tree.js';
export { moveTreeNode } from './move-tree-node.js';
export { TreeEntryRepository } from './tree-entry.repository.js';
export { updateTreeNode } from './update-tree-node.js';
