import type { Deleted } from '../../../../contracts/envelopes.js';
import type { customReports } from '../../../../contracts/management/custom-reports.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { authorizeOwner } from './custom-report.policy.js';
import { CustomReportRepository } from './custom-report.repository.js';

export async function deleteCustomReport(
  work: UnitOfWork,
  { id }: InputOf<typeof customReports.delete>,
): Promise<{ data: Deleted }> {
  const repository = work.use(CustomReportRepository);
  const report = await repository.lock(id);
  authorizeOwner(work, 'reports.delete', report);
  await repository.remove(report);
  return { data: { id: report.id, deleted: true } };
}
