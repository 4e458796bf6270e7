import { tree as contracts } from '../../contracts/management/tree.contract.js';
import {
  createTreeNode,
  deleteTreeNode,
  getGlobalTree,
  getSiteTree,
  getTreeNode,
  listTreeNodes,
  moveTreeNode,
  updateTreeNode,
} from '../features/tree/index.js';
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
