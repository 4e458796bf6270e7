import { AppError } from '../../../../contracts/errors.js';
import type { WorkflowRow } from '../../../persistence/models/editorial.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';

export type { WorkflowRow };

/** Writers hold the project lock. */
export class WorkflowRepository extends TableRepository<WorkflowRow> {
  protected readonly table = {
    model: ({ workflows }: Models) => workflows,
    resource: 'workflow',
    notFound: () => new AppError('workflow_not_found'),
    key: 'slug',
    violations: {
      workflows_slug_key: ({ slug }: WorkflowRow) => new AppError('slug_conflict', { slug }),
    },
  } as const satisfies TableDefinition<WorkflowRow>;

  all(): Promise<WorkflowRow[]> {
    return this.listWhere(this.scope);
  }

  protected override get scope(): object {
    return { tenantId: this.tenantId, environmentId: this.environmentId };
  }

  protected override snapshot(row: WorkflowRow): Snapshot {
    const {
      tenantId: _tenant,
      environmentId: _environment,
      baseState: _base,
      roleIds: _roles,
      ...shown
    } = row;
    return shown;
  }
}
