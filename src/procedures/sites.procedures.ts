import { sites as contracts } from '../../contracts/management/sites.contract.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../features/sites/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const sites = bind(contracts, {
  list: query(listSites),
  create: mutation(createSite, { lock: 'schema' }),
  get: query(getSite),
  update: mutation(updateSite, { lock: 'schema' }),
  delete: mutation(deleteSite, { lock: 'schema' }),
});
