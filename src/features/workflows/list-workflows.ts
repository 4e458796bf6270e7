import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { workflows } from '../../../contracts/management/workflows.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Workflow } from '../../../contracts/resources/workflow.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { presentWorkflow } from './workflow.presenter.js';
import { WorkflowRepository } from './workflow.repository.js';

export async function listWorkflows(
  work: UnitOfWork,
  query: InputOf<typeof workflows.list>,
): Promise<{ data: Workflow[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { items, total } = await work.use(WorkflowRepository).list(query);
  return listEnvelope({ items: items.map((row) => presentWorkflow(row, catalog)), total }, query);
}
