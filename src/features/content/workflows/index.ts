export { createWorkflow, deleteWorkflow, updateWorkflow } from './workflows.js';
export { settleStates } from './settle-states.js';
