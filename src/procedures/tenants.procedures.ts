import { tenants as contracts } from '../../contracts/platform/tenants.contract.js';
import {
  createTenant,
  deactivateTenant,
  getTenant,
  listTenants,
  updateTenant,
} from '../features/tenants/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const tenants = bind(contracts, {
  list: query(listTenants),
  create: mutation(createTenant, { lock: 'schema' }),
  get: query(getTenant),
  update: mutation(updateTenant, { lock: 'schema' }),
  deactivate: mutation(deactivateTenant, { lock: 'schema' }),
});
