export { EnvironmentRepository } from './environment.repository.js';
export { EnvironmentWork } from './environment-work.js';
