export { PasswordResetRepository } from './account-link.repository.js';
export { issueReset, sendResets } from './account-links.js';
export { SecondFactorRepository } from './second-factor.repository.js';
export { SessionLookup, SessionRepository, UserRepository } from './session.repository.js';
export { createSuperAdmin } from './sessions.js';
export { afterFirstFactor, assertPassword } from './sessions.js';
