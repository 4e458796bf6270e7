export { createSuperAdmin } from './create-super-admin.js';
export { login } from './login.js';
export { UserRepository } from './user.repository.js';
