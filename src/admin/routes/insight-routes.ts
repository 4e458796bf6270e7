import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '../insight/audit/audit-search.js';
import { readReportSearch } from '../insight/reports/report-search.js';
import { projectRoute } from './project-route.js';

const getParentRoute = () => projectRoute;

const report = createRoute({
  getParentRoute,
  path: '/reports/$report',
  component: lazyRouteComponent(() => import('../insight/reports/report-screen.js'), 'ReportScreen'),
  validateSearch: readReportSearch,
});
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('../insight/audit/audit-screen.js'), 'AuditScreen'),
  validateSearch: readAuditSearch,
});

export const insightRoutes = [report, audit] as const;
