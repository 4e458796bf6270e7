import { Op } from 'sequelize';
import { AppError } from '../../../../contracts/errors.js';
import type { Page } from '../../../../contracts/envelopes.js';
import type { SavedViewRow } from '../../../persistence/models/editorial.js';
import type { Models } from '../../../persistence/models/index.js';
import type { PageQuery } from '../../../persistence/repositories/repository.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';

export type { SavedViewRow };

/** Reads the caller's own views and shared ones. */
export class ViewRepository extends TableRepository<SavedViewRow> {
  protected readonly table = {
    model: ({ savedViews }: Models) => savedViews,
    resource: 'view',
    notFound: () => new AppError('view_not_found'),
    violations: { saved_views_default_key: () => new AppError('conflict') },
  } as const satisfies TableDefinition<SavedViewRow>;

  ofResource(resource: string | undefined, query: PageQuery): Promise<Page<SavedViewRow>> {
    return this.pageWhere({ ...this.readable, ...(resource !== undefined && { resource }) }, query);
  }

  /** The default view of an owner for a resource. */
  async default({ ownerId, resource }: SavedViewRow): Promise<SavedViewRow | undefined> {
    return this.findWhere({ ...this.scope, ownerId, resource, isDefault: true });
  }

  get ownerId(): string {
    return this.bound.scope.actor.id ?? '';
  }

  protected override get readable(): object {
    const isReadable = [{ visibility: 'shared' }, { ownerId: this.ownerId }];
    return { ...this.scope, [Op.or]: isReadable };
  }

  protected override snapshot({ tenantId: _tenant, projectId: _project, ...shown }: SavedViewRow): Snapshot {
    return shown;
  }
}
