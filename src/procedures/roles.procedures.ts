import { roles as contracts } from '../../contracts/vocabulary/roles.contract.js';
import { createGrant } from '../features/roles/create-grant.js';
import { createRole } from '../features/roles/create-role.js';
import { deleteGrant } from '../features/roles/delete-grant.js';
import { deleteRole } from '../features/roles/delete-role.js';
import { getRole } from '../features/roles/get-role.js';
import { listGrants } from '../features/roles/list-grants.js';
import { listRoles } from '../features/roles/list-roles.js';
import { updateRole } from '../features/roles/update-role.js';
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
