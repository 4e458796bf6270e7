import { audit as auditContracts } from '../../contracts/insight/audit/audit.contract.js';
import {
  exportAuditEvents,
  listAuditEvents,
  listAuditLogs,
} from '../features/insight/audit/list-audit-events.js';
import { verifyAuditEvents } from '../features/insight/audit/audit-chain.js';
import { bind } from './bind.js';
import { query, mutation, report } from './run.js';
import { customReports as customReportsContracts } from '../../contracts/insight/custom-reports/custom-reports.contract.js';
import {
  createCustomReport,
  deleteCustomReport,
  getCustomReport,
  listCustomReports,
  updateCustomReport,
} from '../features/insight/custom-reports/definition/custom-reports.js';
import { runCustomReport } from '../features/insight/custom-reports/run/run-custom-report.js';
import { governance as governanceContracts } from '../../contracts/insight/governance/governance.contract.js';
import { analyzeEnvironment } from '../features/insight/governance/analyze-environment.js';
import { getAnalysis, listIssues, resolveIssue } from '../features/insight/governance/issues/issues.js';
import type { Services } from './services.js';
import { reports as reportsContracts } from '../../contracts/insight/reports/reports.contract.js';
import { reportAgents } from '../features/insight/reports/activity/report-agents.js';
import { reportPublishing } from '../features/insight/reports/activity/report-publishing.js';
import { reportUsers } from '../features/insight/reports/activity/report-users.js';
import { reportHealth } from '../features/insight/reports/health/report-health.js';
import { reportSchema } from '../features/insight/reports/schema/report-schema.js';
import { reportEmptySearches } from '../features/insight/reports/searches/empty-searches.js';
import { search as searchContracts } from '../../contracts/insight/search/search.contract.js';
import { reindexSearch } from '../features/insight/search/reindex.js';
import { getSearchSettings, setSearchSettings } from '../features/insight/search/search-settings.js';
import {
  searchEntries,
  type EntrySearch,
  searchForAgents,
} from '../features/insight/search/search-for-agents.js';
import { suggestEntries } from '../features/insight/search/suggest.js';
import type { OperationScope } from './call.js';

export const audit = bind(auditContracts, {
  listLogs: query(listAuditLogs),
  listEvents: query(listAuditEvents),
  exportEvents: query(exportAuditEvents),
  verify: query(verifyAuditEvents),
});

export const customReports = bind(customReportsContracts, {
  list: query(listCustomReports),
  create: mutation(createCustomReport),
  get: query(getCustomReport),
  update: mutation(updateCustomReport),
  delete: mutation(deleteCustomReport),
  run: query(runCustomReport, { with: ({ reports }) => reports }),
});

const analysisServices = ({ media }: Services) => ({ storage: media.storage });

export const governance = bind(governanceContracts, {
  lastAnalysis: query(getAnalysis),
  analyze: mutation(analyzeEnvironment, { inParts: true, with: analysisServices }),
  listIssues: query(listIssues),
  resolve: mutation(resolveIssue, { lock: 'none' }),
});

export const reports = bind(reportsContracts, {
  publishingActivity: query(reportPublishing),
  contentHealth: query(reportHealth, { with: ({ reports: bounds }) => bounds }),
  schemaUsage: query(reportSchema),
  userActivity: query(reportUsers),
  agentActivity: query(reportAgents),
  emptySearches: query(reportEmptySearches),
});

const services = ({ search }: Services) => search;

/** The use case opens units of work itself. */
const searching = {
  read: ({ services: { search, units }, work }: OperationScope): EntrySearch => ({
    services: search,
    inUnit: (run) => units.run({ scope: work, isReadOnly: true, lock: 'none' }, run),
  }),
};

export const search = bind(searchContracts, {
  find: query(searchEntries, searching),
  suggest: query(suggestEntries, searching),
  tool: query(searchForAgents, searching),
  reindex: report(reindexSearch, { with: services, writes: true }),
  settings: query(getSearchSettings),
  setSettings: mutation(setSearchSettings, { lock: 'schema' }),
});
