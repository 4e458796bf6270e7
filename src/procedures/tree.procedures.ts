import { tree as contracts } from '../../contracts/management/tree.contract.js';
import { createTreeNode } from '../features/tree/create-tree-node.js';
import { deleteTreeNode } from '../features/tree/delete-tree-node.js';
import { getTreeNode } from '../features/tree/get-tree-node.js';
import { getGlobalTree, getSiteTree, listTreeNodes } from '../features/tree/get-tree.js';
import { moveTreeNode } from '../features/tree/move-tree-node.js';
import { updateTreeNode } from '../features/tree/update-tree-node.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const tree = bind(contracts, {
  get: query(getSiteTree),
  getGlobal: query(getGlobalTree),
  listNodes: query(listTreeNodes),
  createNode: mutation(createTreeNode),
  getNode: query(getTreeNode),
  updateNode: mutation(updateTreeNode),
  deleteNode: mutation(deleteTreeNode),
  moveNode: mutation(moveTreeNode),
});
