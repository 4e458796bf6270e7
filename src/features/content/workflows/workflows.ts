import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { settleStates } from './settle-states.js';
import { definitionOf, applyChanges, presentWorkflow } from './workflow.policy.js';
import { WorkflowRepository, type WorkflowRow } from './workflow.repository.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { workflows } from '../../../../contracts/content/workflows/workflows.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Workflow } from '../../../../contracts/content/workflows/workflow.js';
import { NO_WORKFLOW } from '../../../content/workflow/workflow-definition.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { slugFrom } from '../../shared/slug-from.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { type Deleted, listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';

interface WorkflowChange {
  /** Null for a new workflow. */
  readonly before: WorkflowRow | null;
  readonly after: WorkflowRow;
}

/**
 * Writes a workflow, takes the default from the previous one if it is the new default, and keeps entries in existing
 * states.
 * @throws AppError 409 `workflow_state_in_use`, `slug_conflict`
 */
async function saveWorkflows(
  work: UnitOfWork,
  catalog: Catalog,
  { before, after }: WorkflowChange,
): Promise<void> {
  const repository = work.use(WorkflowRepository);
  const others = (await repository.all()).filter(({ id }) => id !== after.id);
  const replaced = after.isDefault ? others.filter(({ isDefault }) => isDefault) : [];
  for (const other of replaced)
    await repository.save(other, { ...other, isDefault: false, updatedAt: work.now });
  if (before === null) await repository.insert(after);
  else await repository.save(before, after);
  const known = catalog.data.workflows
    .filter(({ id }) => id !== after.id)
    .map((one) => (after.isDefault ? { ...one, isDefault: false } : one));
  // A new workflow is the newest; a changed one keeps its place.
  const workflows =
    before === null
      ? [...known, definitionOf(after)]
      : catalog.data.workflows.map(({ id }) => known.find((one) => one.id === id) ?? definitionOf(after));
  await settleStates(work, catalog, { workflows });
}

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

export async function getWorkflow(
  work: UnitOfWork,
  { workflowSlug }: InputOf<typeof workflows.get>,
): Promise<{ data: Workflow }> {
  const catalog = await work.use(CatalogRepository).current();
  return { data: presentWorkflow(await work.use(WorkflowRepository).find(workflowSlug), catalog) };
}

export async function listWorkflows(
  work: UnitOfWork,
  query: InputOf<typeof workflows.list>,
): Promise<{ data: Workflow[]; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const { items, total } = await work.use(WorkflowRepository).list(query);
  return listEnvelope({ items: items.map((row) => presentWorkflow(row, catalog)), total }, query);
}

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
