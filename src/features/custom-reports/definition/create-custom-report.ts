import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { customReports } from '../../../../contracts/management/custom-reports.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { CustomReport } from '../../../../contracts/resources/custom-report.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { planReport } from '../plan/plan-report.js';
import { filterLists } from './custom-report.policy.js';
import { presentCustomReport } from './custom-report.presenter.js';
import { CustomReportRepository, type CustomReportRow } from './custom-report.repository.js';

/** @throws AppError 422 for keys that the source does not have, 404 for what a filter names and does not exist */
export async function createCustomReport(
  work: UnitOfWork,
  input: InputOf<typeof customReports.create>,
): Promise<{ data: CustomReport }> {
  authorize(work, 'reports.create', {});
  const repository = work.use(CustomReportRepository);
  if ((await repository.count()) >= limits.customReportsPerProject)
    throw new AppError('limit_reached', { limit: limits.customReportsPerProject });
  const { tenantId, projectId, actor } = work.scope;
  const row: CustomReportRow = {
    tenantId: tenantId ?? '',
    projectId: projectId ?? '',
    id: work.newId(),
    name: input.name,
    description: input.description ?? null,
    source: input.source,
    metrics: input.metrics,
    groupBy: input.groupBy ?? [],
    filters: filterLists(input.filters ?? {}),
    range: input.range ?? null,
    chart: input.chart ?? 'table',
    visibility: input.visibility ?? 'private',
    ownerId: repository.ownerId,
    createdBy: actor,
    createdAt: work.now,
    updatedAt: work.now,
  };
  await planReport(work, presentCustomReport(row));
  await repository.insert(row);
  return { data: presentCustomReport(row) };
}
