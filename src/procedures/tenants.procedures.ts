import { tenants as contracts } from '../../contracts/platform/tenants.contract.js';
import { createTenant } from '../features/tenants/create-tenant.js';
import { deactivateTenant } from '../features/tenants/deactivate-tenant.js';
import { getTenant } from '../features/tenants/get-tenant.js';
import { listTenants } from '../features/tenants/list-tenants.js';
import { updateTenant } from '../features/tenants/update-tenant.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const tenants = bind(contracts, {
  list: query(listTenants),
  create: mutation(createTenant, { lock: 'schema' }),
  get: query(getTenant),
  update: mutation(updateTenant, { lock: 'schema' }),
  deactivate: mutation(deactivateTenant, { lock: 'schema' }),
});
