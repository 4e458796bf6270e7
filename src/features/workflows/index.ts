export { settleStates } from './settle-states.js';
export { WorkflowRepository } from './workflow.repository.js';
