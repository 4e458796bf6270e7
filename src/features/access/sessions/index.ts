export {
  PasswordResetRepository,
  SessionLookup,
  SessionRepository,
  UserRepository,
} from './session.repository.js';
export { createSuperAdmin } from './create-super-admin.js';
export { afterFirstFactor } from './sessions.js';
