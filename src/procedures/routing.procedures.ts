import { redirects as redirectsContracts } from '../../contracts/routing/redirects/redirects.contract.js';
import { exportRedirects, importRedirects } from '../features/routing/redirects/import/import-redirects.js';
import {
  createRedirect,
  deleteRedirect,
  getRedirect,
  listRedirects,
  updateRedirect,
} from '../features/routing/redirects/rules/redirects.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import { sites as sitesContracts } from '../../contracts/routing/sites/sites.contract.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../features/routing/sites/sites.js';
import { tree as treeContracts } from '../../contracts/routing/tree/tree.contract.js';
import { createTreeNode, updateTreeNode } from '../features/routing/tree/write-node.js';
import {
  deleteTreeNode,
  getTreeNode,
  moveTreeNode,
  getGlobalTree,
  getSiteTree,
  listTreeNodes,
} from '../features/routing/tree/nodes.js';

export const redirects = bind(redirectsContracts, {
  list: query(listRedirects),
  create: mutation(createRedirect),
  get: query(getRedirect),
  update: mutation(updateRedirect),
  delete: mutation(deleteRedirect),
  import: mutation(importRedirects),
  export: query(exportRedirects),
});

export const sites = bind(sitesContracts, {
  list: query(listSites),
  create: mutation(createSite, { lock: 'schema' }),
  get: query(getSite),
  update: mutation(updateSite, { lock: 'schema' }),
  delete: mutation(deleteSite, { lock: 'schema' }),
});

export const tree = bind(treeContracts, {
  get: query(getSiteTree),
  getGlobal: query(getGlobalTree),
  listNodes: query(listTreeNodes),
  createNode: mutation(createTreeNode),
  getNode: query(getTreeNode),
  updateNode: mutation(updateTreeNode),
  deleteNode: mutation(deleteTreeNode),
  moveNode: mutation(moveTreeNode),
});
