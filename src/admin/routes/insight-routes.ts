import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '../insight/audit/audit-search.js';
import { readGovernanceSearch, readReportSearch } from './searches.js';
import { readPeriod } from '../insight/period.js';
import { projectRoute } from './project-route.js';

const getParentRoute = () => projectRoute;

const dashboard = createRoute({
  getParentRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('../insight/dashboard/dashboard-screen.js'), 'DashboardScreen'),
});
const report = createRoute({
  getParentRoute,
  path: '/reports/$report',
  component: lazyRouteComponent(() => import('../insight/reports/report-screen.js'), 'ReportScreen'),
  validateSearch: readReportSearch,
});
const customReports = createRoute({
  getParentRoute,
  path: '/custom-reports',
  component: lazyRouteComponent(() => import('../insight/custom/custom-report-list.js'), 'CustomReportList'),
  validateSearch: ({ page }: Record<string, unknown>): { page?: number | undefined } => ({
    page: Number.isInteger(page) && Number(page) > 0 ? Number(page) : undefined,
  }),
});
const customReport = createRoute({
  getParentRoute,
  path: '/custom-reports/$id',
  component: lazyRouteComponent(
    () => import('../insight/custom/custom-report-screen.js'),
    'CustomReportScreen',
  ),
  validateSearch: readPeriod,
});
const governance = createRoute({
  getParentRoute,
  path: '/governance',
  component: lazyRouteComponent(
    () => import('../insight/governance/governance-screen.js'),
    'GovernanceScreen',
  ),
  validateSearch: readGovernanceSearch,
});
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('../insight/audit/audit-screen.js'), 'AuditScreen'),
  validateSearch: readAuditSearch,
});

export const insightRoutes = [dashboard, report, customReports, customReport, governance, audit] as const;
