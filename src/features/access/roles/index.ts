export { createGrant, deleteGrant, assertMayGiveGrants, grantsOfRoles, mayGiveEverything } from './grants.js';
export { createRole, deleteRole, updateRole } from './roles.js';
export { RoleRepository, type RoleRow } from './role.repository.js';
