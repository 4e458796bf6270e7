import { customReports as contracts } from '../../contracts/management/custom-reports.contract.js';
import { createCustomReport } from '../features/custom-reports/definition/create-custom-report.js';
import { deleteCustomReport } from '../features/custom-reports/definition/delete-custom-report.js';
import { getCustomReport } from '../features/custom-reports/definition/get-custom-report.js';
import { listCustomReports } from '../features/custom-reports/definition/list-custom-reports.js';
import { updateCustomReport } from '../features/custom-reports/definition/update-custom-report.js';
import { runCustomReport } from '../features/custom-reports/run/run-custom-report.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const customReports = bind(contracts, {
  list: query(listCustomReports),
  create: mutation(createCustomReport),
  get: query(getCustomReport),
  update: mutation(updateCustomReport),
  delete: mutation(deleteCustomReport),
  run: query(runCustomReport, { with: ({ reports }) => reports }),
});
