export { createWorkflow } from './create-workflow.js';
export { deleteWorkflow } from './delete-workflow.js';
export { settleStates } from './settle-states.js';
export { updateWorkflow } from './update-workflow.js';
