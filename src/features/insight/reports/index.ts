export {
  ActivityCounterRepository,
  ActivityCheckRepository,
  countActivity,
} from './activity/activity-counter.repository.js';
export { EmptySearchCounts, type EmptySearch } from './searches/empty-searches.js';
export { EmptySearchCountRepository } from './searches/empty-search.repository.js';
export { csvOf, fileOf } from './files/report-file.js';
export type { Chart, Point } from './charts/chart.js';
export {
  grainsOfAll,
  periodOf,
  segmentsOf,
  type Period,
  type PeriodInput,
  type Span,
} from './period/report-period.js';
export {
  inScope,
  isLimitedToOwn,
  resolveFilter,
  type Bind,
  type ReportColumns,
  type ReportFilter,
} from './report-scope.js';
export { KeyUsageReportRepository } from './activity/key-usage-report.repository.js';
export { publishingKeys } from './activity/report-publishing.js';
export { UserNameRepository } from './activity/activity.repository.js';
export { checkHealth, HealthWork, rebuildHealth } from './health/health-work.js';
export { defaultReportBounds, type ReportBounds } from './open-report.js';
