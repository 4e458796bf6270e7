import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { workflows } from '../../../contracts/management/workflows.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Workflow } from '../../../contracts/resources/workflow.js';
import { NO_WORKFLOW } from '../../content/workflow/workflow-definition.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { slugFrom } from '../shared/index.js';
import { saveWorkflows } from './save-workflows.js';
import { applyChanges } from './workflow.policy.js';
import { presentWorkflow } from './workflow.presenter.js';
import { WorkflowRepository, type WorkflowRow } from './workflow.repository.js';

export async function createWorkflow(
  work: UnitOfWork,
  { projectSlug: _project, slug, ...given }: InputOf<typeof workflows.create>,
): Promise<{ data: Workflow }> {
  const repository = work.use(WorkflowRepository);
  if ((await repository.count()) >= limits.workflowsPerProject)
    throw new AppError('limit_reached', { limit: limits.workflowsPerProject });
  const catalog = await work.use(CatalogRepository).current();
  const { tenantId, environmentId } = work.scope;
  const id = work.newId();
  const row: WorkflowRow = {
    tenantId: tenantId ?? '',
    environmentId: environmentId ?? '',
    id,
    slug: slug ?? slugFrom(given.name, id),
    name: given.name,
    isDefault: false,
    contentTypeIds: [],
    siteIds: [],
    enforcement: 'advisory',
    perLocale: false,
    baseState: '',
    states: [],
    transitions: [],
    roleIds: [],
    createdAt: work.now,
    updatedAt: work.now,
  };
  if (row.slug === NO_WORKFLOW) throw new AppError('reserved_slug', { slug: row.slug });
  const after = await applyChanges(work, catalog, { row, given });
  await saveWorkflows(work, catalog, { before: null, after });
  work.emit({ type: 'workflow.created', data: { workflowId: id, slug: after.slug } });
  return { data: presentWorkflow(after, catalog) };
}
