import { sites as contracts } from '../../contracts/management/sites.contract.js';
import { createSite } from '../features/sites/create-site.js';
import { deleteSite } from '../features/sites/delete-site.js';
import { getSite } from '../features/sites/get-site.js';
import { listSites } from '../features/sites/list-sites.js';
import { updateSite } from '../features/sites/update-site.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const sites = bind(contracts, {
  list: query(listSites),
  create: mutation(createSite, { lock: 'schema' }),
  get: query(getSite),
  update: mutation(updateSite, { lock: 'schema' }),
  delete: mutation(deleteSite, { lock: 'schema' }),
});
