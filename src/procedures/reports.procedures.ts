import { reports as contracts } from '../../contracts/management/reports.contract.js';
import { reportAgents } from '../features/reports/activity/report-agents.js';
import { reportPublishing } from '../features/reports/activity/report-publishing.js';
import { reportUsers } from '../features/reports/activity/report-users.js';
import { reportHealth } from '../features/reports/health/report-health.js';
import { reportSchema } from '../features/reports/schema/report-schema.js';
import { bind } from './bind.js';
import { query } from './run.js';

export const reports = bind(contracts, {
  publishingActivity: query(reportPublishing),
  contentHealth: query(reportHealth, { with: ({ reports: bounds }) => bounds }),
  schemaUsage: query(reportSchema),
  userActivity: query(reportUsers),
  agentActivity: query(reportAgents),
});
