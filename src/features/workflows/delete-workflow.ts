import type { Deleted } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { workflows } from '../../../contracts/management/workflows.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { settleStates } from './settle-states.js';
import { WorkflowRepository, type WorkflowRow } from './workflow.repository.js';

function assertUnnamed({ data }: Catalog, { slug, isDefault }: WorkflowRow): void {
  if (isDefault)
    throw new AppError('workflow_in_use', { isDefault }, 'The default workflow cannot be deleted.');
  const contentTypes = data.contentTypes
    .filter(({ workflowSlug }) => workflowSlug === slug)
    .map(({ apiName }) => apiName);
  if (contentTypes.length > 0) throw new AppError('workflow_in_use', { contentTypes });
}

/** @throws AppError 409 `workflow_in_use` */
export async function deleteWorkflow(
  work: UnitOfWork,
  { workflowSlug }: InputOf<typeof workflows.delete>,
): Promise<{ data: Deleted }> {
  const repository = work.use(WorkflowRepository);
  const row = await repository.lock(workflowSlug);
  const catalog = await work.use(CatalogRepository).current();
  assertUnnamed(catalog, row);
  try {
    await settleStates(work, catalog, {
      workflows: catalog.data.workflows.filter(({ id }) => id !== row.id),
    });
  } catch (error) {
    if (error instanceof AppError) throw new AppError('workflow_in_use', error.details);
    throw error;
  }
  await repository.remove(row);
  work.emit({ type: 'workflow.deleted', data: { workflowId: row.id, slug: row.slug } });
  return { data: { id: row.id, deleted: true } };
}
