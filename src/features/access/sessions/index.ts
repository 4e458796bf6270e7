export { PasswordResetRepository, SessionLookup, SessionRepository } from './session.repository.js';
export { createSuperAdmin } from './create-super-admin.js';
