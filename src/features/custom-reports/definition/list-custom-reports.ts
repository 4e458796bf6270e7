import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { customReports } from '../../../../contracts/management/custom-reports.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { CustomReport } from '../../../../contracts/resources/custom-report.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { presentCustomReport } from './custom-report.presenter.js';
import { CustomReportRepository } from './custom-report.repository.js';

export async function listCustomReports(
  work: UnitOfWork,
  query: InputOf<typeof customReports.list>,
): Promise<{ data: CustomReport[]; meta: PageMeta }> {
  const { items, total } = await work.use(CustomReportRepository).list(query);
  return listEnvelope({ items: items.map(presentCustomReport), total }, query);
}
