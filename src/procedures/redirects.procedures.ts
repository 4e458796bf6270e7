import { redirects as contracts } from '../../contracts/management/redirects.contract.js';
import { exportRedirects } from '../features/redirects/import/export-redirects.js';
import { importRedirects } from '../features/redirects/import/import-redirects.js';
import { createRedirect } from '../features/redirects/rules/create-redirect.js';
import { deleteRedirect } from '../features/redirects/rules/delete-redirect.js';
import { getRedirect } from '../features/redirects/rules/get-redirect.js';
import { listRedirects } from '../features/redirects/rules/list-redirects.js';
import { updateRedirect } from '../features/redirects/rules/update-redirect.js';
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
