export { createSuperAdmin } from './create-super-admin.js';
export { login } from './login.js';
export { logout } from './logout.js';
export { refreshSession } from './refresh-session.js';
export { SessionLookup } from './session-lookup.repository.js';
export { SessionRepository } from './session.repository.js';
