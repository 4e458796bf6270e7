import type { workflows } from '../../../contracts/management/workflows.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Workflow } from '../../../contracts/resources/workflow.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { presentWorkflow } from './workflow.presenter.js';
import { WorkflowRepository } from './workflow.repository.js';

export async function getWorkflow(
  work: UnitOfWork,
  { workflowSlug }: InputOf<typeof workflows.get>,
): Promise<{ data: Workflow }> {
  const catalog = await work.use(CatalogRepository).current();
  return { data: presentWorkflow(await work.use(WorkflowRepository).find(workflowSlug), catalog) };
}
