import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readResourceSearch } from '../resources/resource-search.js';
import { projectRoute } from './project-route.js';

const getParentRoute = () => projectRoute;

const users = createRoute({
  getParentRoute,
  path: '/users',
  component: lazyRouteComponent(() => import('../administration/users-screen.js'), 'UsersScreen'),
  validateSearch: readResourceSearch,
});
const apiKeys = createRoute({
  getParentRoute,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../administration/api-keys-screen.js'), 'ApiKeysScreen'),
  validateSearch: readResourceSearch,
});
const tenants = createRoute({
  getParentRoute,
  path: '/tenants',
  component: lazyRouteComponent(() => import('../administration/tenants-screen.js'), 'TenantsScreen'),
  validateSearch: readResourceSearch,
});
const tenantProjects = createRoute({
  getParentRoute,
  path: '/tenants/$tenant',
  component: lazyRouteComponent(
    () => import('../administration/tenant-projects-screen.js'),
    'TenantProjectsScreen',
  ),
  validateSearch: readResourceSearch,
});

export const administrationRoutes = [users, apiKeys, tenants, tenantProjects] as const;
