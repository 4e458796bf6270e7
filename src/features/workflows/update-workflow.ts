import type { workflows } from '../../../contracts/management/workflows.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Workflow } from '../../../contracts/resources/workflow.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { saveWorkflows } from './save-workflows.js';
import { applyChanges } from './workflow.policy.js';
import { presentWorkflow } from './workflow.presenter.js';
import { WorkflowRepository } from './workflow.repository.js';

export async function updateWorkflow(
  work: UnitOfWork,
  { projectSlug: _project, workflowSlug, ...input }: InputOf<typeof workflows.update>,
): Promise<{ data: Workflow }> {
  const given = definedKeys(input);
  const before = await work.use(WorkflowRepository).lock(workflowSlug);
  const catalog = await work.use(CatalogRepository).current();
  const changed = await applyChanges(work, catalog, { row: before, given });
  if (!hasChanges(before, changed)) return { data: presentWorkflow(before, catalog) };
  const after = { ...changed, updatedAt: work.now };
  await saveWorkflows(work, catalog, { before, after });
  work.emit({ type: 'workflow.updated', data: { workflowId: after.id, slug: after.slug } });
  return { data: presentWorkflow(after, catalog) };
}
