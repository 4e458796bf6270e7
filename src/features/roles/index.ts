export { createGrant } from './create-grant.js';
export { createRole } from './create-role.js';
export { deleteGrant } from './delete-grant.js';
export { deleteRole } from './delete-role.js';
export { assertMayGiveGrants, grantsOfRoles, mayGiveEverything } from './escalation.policy.js';
export { RoleRepository, type RoleRow } from './role.repository.js';
export { updateRole } from './update-role.js';
