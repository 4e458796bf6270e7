export { assertMayGiveGrants, grantsOfRoles, mayGiveEverything } from './escalation.policy.js';
export { RoleRepository, type RoleRow } from './role.repository.js';
