import { AppError } from '../../../../contracts/errors.js';
import { defaultWorkflow } from '../../../content/workflow/workflow-definition.js';
import type { WorkflowRow } from '../../../persistence/models/editorial.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';

/** The workflow that a new environment starts with. */
export class DefaultWorkflowRepository extends TableRepository<WorkflowRow> {
  protected readonly table = {
    model: ({ workflows }: Models) => workflows,
    resource: 'workflow',
    notFound: () => new AppError('workflow_not_found'),
    key: 'slug',
    violations: {},
  } as const satisfies TableDefinition<WorkflowRow>;

  /** Covered by the audit record of the project or environment. */
  async insertDefault(tenantId: string, environmentId: string): Promise<void> {
    const { now, newId } = this.bound;
    const { states, transitions, ...names } = defaultWorkflow;
    await this.create({
      tenantId,
      environmentId,
      id: newId(),
      ...names,
      isDefault: true,
      contentTypeIds: [],
      siteIds: [],
      enforcement: 'advisory',
      perLocale: false,
      states,
      transitions,
      roleIds: [],
      createdAt: now,
      updatedAt: now,
    });
  }
}
