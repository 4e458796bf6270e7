import { projects as projectsContracts } from '../../contracts/tenancy/projects/projects.contract.js';
import { createProject, listProjects } from '../features/tenancy/projects/projects.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import { tenants as tenantsContracts } from '../../contracts/tenancy/tenants/tenants.contract.js';
import {
  createTenant,
  deactivateTenant,
  getTenant,
  listTenants,
  updateTenant,
} from '../features/tenancy/tenants/tenants.js';

export const projects = bind(projectsContracts, {
  list: query(listProjects),
  create: mutation(createProject, { lock: 'schema' }),
});

export const tenants = bind(tenantsContracts, {
  list: query(listTenants),
  create: mutation(createTenant, { lock: 'schema' }),
  get: query(getTenant),
  update: mutation(updateTenant, { lock: 'schema' }),
  deactivate: mutation(deactivateTenant, { lock: 'schema' }),
});
