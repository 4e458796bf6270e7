import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { settleStates } from './settle-states.js';
import { definitionOf } from './workflow.policy.js';
import { WorkflowRepository, type WorkflowRow } from './workflow.repository.js';

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
export async function saveWorkflows(
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
