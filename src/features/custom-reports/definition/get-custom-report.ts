import type { customReports } from '../../../../contracts/management/custom-reports.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { CustomReport } from '../../../../contracts/resources/custom-report.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentCustomReport } from './custom-report.presenter.js';
import { CustomReportRepository } from './custom-report.repository.js';

export async function getCustomReport(
  work: UnitOfWork,
  { id }: InputOf<typeof customReports.get>,
): Promise<{ data: CustomReport }> {
  return { data: presentCustomReport(await work.use(CustomReportRepository).find(id)) };
}
