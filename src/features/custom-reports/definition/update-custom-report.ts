import type { customReports } from '../../../../contracts/management/custom-reports.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { CustomReport } from '../../../../contracts/resources/custom-report.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { definedKeys, hasChanges, withKnownTypes } from '../../shared/index.js';
import { planReport } from '../plan/plan-report.js';
import { authorizeOwner, filterLists } from './custom-report.policy.js';
import { presentCustomReport } from './custom-report.presenter.js';
import { CustomReportRepository } from './custom-report.repository.js';

/** @throws AppError as for a creation; 403 `not_report_owner` */
export async function updateCustomReport(
  work: UnitOfWork,
  { projectSlug: _project, id, ...input }: InputOf<typeof customReports.update>,
): Promise<{ data: CustomReport }> {
  const { filters, ...others } = definedKeys(input);
  const changes = { ...others, ...(filters && { filters: filterLists(filters) }) };
  const repository = work.use(CustomReportRepository);
  const before = await repository.lock(id);
  authorizeOwner(work, 'reports.update', before);
  if (!hasChanges(before, changes)) return { data: presentCustomReport(before) };
  const after = { ...before, ...changes, updatedAt: work.now };
  const changed = presentCustomReport(after);
  const known = withKnownTypes(await work.use(CatalogRepository).current(), changed.filters);
  await planReport(work, filters === undefined ? { ...changed, filters: known } : changed);
  await repository.save(before, after);
  return { data: presentCustomReport(after) };
}
