export { GovernanceWork } from './analyze-environment.js';
