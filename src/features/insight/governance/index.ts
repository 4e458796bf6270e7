export { GovernanceWork } from './governance-work.js';
