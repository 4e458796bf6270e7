export { assertMayGiveGrants, grantsOfRoles } from './escalation.policy.js';
export { RoleRepository, type RoleRow } from './role.repository.js';
