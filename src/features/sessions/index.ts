export { UserRepository } from './user.repository.js';
