import { Op } from 'sequelize';
import { AppError } from '../../../../../contracts/errors.js';
import type { CustomReportRow } from '../../../../persistence/models/editorial.js';
import type { Models } from '../../../../persistence/models/index.js';
import {
  TableRepository,
  type TableDefinition,
} from '../../../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../../../persistence/work/unit-of-work.js';

export type { CustomReportRow };

/** Reads the caller's own reports and shared ones. */
export class CustomReportRepository extends TableRepository<CustomReportRow> {
  protected readonly table = {
    model: ({ customReports }: Models) => customReports,
    resource: 'custom_report',
    notFound: () => new AppError('custom_report_not_found'),
  } as const satisfies TableDefinition<CustomReportRow>;

  get ownerId(): string {
    return this.bound.scope.actor.id ?? '';
  }

  protected override get readable(): object {
    const isReadable = [{ visibility: 'shared' }, { ownerId: this.ownerId }];
    return { ...this.scope, [Op.or]: isReadable };
  }

  protected override snapshot({
    tenantId: _tenant,
    projectId: _project,
    ownerId: _owner,
    ...shown
  }: CustomReportRow): Snapshot {
    return shown;
  }
}
