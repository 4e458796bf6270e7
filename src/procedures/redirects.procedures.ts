import { redirects as contracts } from '../../contracts/management/redirects.contract.js';
import {
  createRedirect,
  deleteRedirect,
  exportRedirects,
  getRedirect,
  importRedirects,
  listRedirects,
  updateRedirect,
} from '../features/redirects/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const redirects = bind(contracts, {
  list: query(listRedirects),
  create: mutation(createRedirect),
  get: query(getRedirect),
  update: mutation(updateRedirect),
  delete: mutation(deleteRedirect),
  import: mutation(importRedirects),
  export: query(exportRedirects),
});
