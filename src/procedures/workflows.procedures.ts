import { workflows as contracts } from '../../contracts/management/workflows.contract.js';
import { createWorkflow } from '../features/workflows/create-workflow.js';
import { deleteWorkflow } from '../features/workflows/delete-workflow.js';
import { getWorkflow } from '../features/workflows/get-workflow.js';
import { listWorkflows } from '../features/workflows/list-workflows.js';
import { updateWorkflow } from '../features/workflows/update-workflow.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const workflows = bind(contracts, {
  list: query(listWorkflows),
  create: mutation(createWorkflow, { lock: 'schema' }),
  get: query(getWorkflow),
  update: mutation(updateWorkflow, { lock: 'schema' }),
  delete: mutation(deleteWorkflow, { lock: 'schema' }),
});
