import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ChartColumn, ChartPie, ScrollText, ShieldAlert } from 'lucide-react';
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
  staticData: {
    link: {
      area: 'insight',
      icon: ChartColumn,
      label: 'report.title',
      to: 'reports/publishing-activity',
      needs: ['reports.publishingActivity'],
    },
  },
  component: lazyRouteComponent(() => import('../insight/reports/report-screen.js'), 'ReportScreen'),
  validateSearch: readReportSearch,
});
const customReports = createRoute({
  getParentRoute,
  path: '/custom-reports',
  staticData: {
    link: { area: 'insight', icon: ChartPie, label: 'custom.title', needs: ['customReports.list'] },
  },
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
  staticData: {
    link: { area: 'insight', icon: ShieldAlert, label: 'governance.title', needs: ['governance.listIssues'] },
  },
  component: lazyRouteComponent(
    () => import('../insight/governance/governance-screen.js'),
    'GovernanceScreen',
  ),
  validateSearch: readGovernanceSearch,
});
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  staticData: {
    link: { area: 'insight', icon: ScrollText, label: 'audit.title', needs: ['audit.listEvents'] },
  },
  component: lazyRouteComponent(() => import('../insight/audit/audit-screen.js'), 'AuditScreen'),
  validateSearch: readAuditSearch,
});

export const insightRoutes = [dashboard, report, customReports, customReport, governance, audit] as const;
