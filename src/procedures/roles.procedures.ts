import { roles as contracts } from '../../contracts/management/roles.contract.js';
import {
  createGrant,
  createRole,
  deleteGrant,
  deleteRole,
  getRole,
  listGrants,
  listRoles,
  updateRole,
} from '../features/roles/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const roles = bind(contracts, {
  list: query(listRoles),
  create: mutation(createRole, { lock: 'schema' }),
  get: query(getRole),
  update: mutation(updateRole, { lock: 'schema' }),
  delete: mutation(deleteRole, { lock: 'schema' }),
  listGrants: query(listGrants),
  createGrant: mutation(createGrant, { lock: 'schema' }),
  deleteGrant: mutation(deleteGrant, { lock: 'schema' }),
});
