export { PasswordResetRepository } from './password-reset.repository.js';
export { createSuperAdmin } from './create-super-admin.js';
export { SessionLookup } from './session-lookup.repository.js';
export { SessionRepository } from './session.repository.js';
