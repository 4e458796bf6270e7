import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readPromoteSearch } from './searches.js';
import { readResourceSearch } from '../resources/resource-search.js';
import { projectRoute } from './project-route.js';

const getParentRoute = () => projectRoute;

const account = createRoute({
  getParentRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/account-screen.js'), 'AccountScreen'),
});
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
    () => import('../administration/tenant-part-screens.js'),
    'TenantProjectsScreen',
  ),
  validateSearch: readResourceSearch,
});

const tenantLocales = createRoute({
  getParentRoute,
  path: '/tenants/$tenant/locales',
  component: lazyRouteComponent(
    () => import('../administration/tenant-part-screens.js'),
    'TenantLocalesScreen',
  ),
  validateSearch: readResourceSearch,
});

const signOn = createRoute({
  getParentRoute,
  path: '/tenants/$tenant/sign-on',
  component: lazyRouteComponent(() => import('../administration/sign-on-screen.js'), 'SignOnScreen'),
});

const webhooks = createRoute({
  getParentRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('../administration/webhooks-screen.js'), 'WebhooksScreen'),
  validateSearch: readResourceSearch,
});
const webhook = createRoute({
  getParentRoute,
  path: '/webhooks/$webhook',
  component: lazyRouteComponent(() => import('../administration/webhook-screen.js'), 'WebhookScreen'),
});
const roles = createRoute({
  getParentRoute,
  path: '/roles',
  component: lazyRouteComponent(() => import('../administration/roles-screen.js'), 'RolesScreen'),
  validateSearch: readResourceSearch,
});
const role = createRoute({
  getParentRoute,
  path: '/roles/$role',
  component: lazyRouteComponent(() => import('../administration/role-screen.js'), 'RoleScreen'),
});
const ipAllowlist = createRoute({
  getParentRoute,
  path: '/ip-allowlist',
  component: lazyRouteComponent(
    () => import('../administration/ip-allowlist-screen.js'),
    'IpAllowlistScreen',
  ),
  validateSearch: readResourceSearch,
});
const environments = createRoute({
  getParentRoute,
  path: '/environments',
  component: lazyRouteComponent(
    () => import('../administration/environments-screen.js'),
    'EnvironmentsScreen',
  ),
  validateSearch: readResourceSearch,
});
const promote = createRoute({
  getParentRoute,
  path: '/promote',
  component: lazyRouteComponent(() => import('../administration/promote-screen.js'), 'PromoteScreen'),
  validateSearch: readPromoteSearch,
});

export const administrationRoutes = [
  ...([account, users, roles, role, apiKeys, webhooks, webhook, ipAllowlist] as const),
  ...([environments, promote, tenants, tenantProjects, tenantLocales, signOn] as const),
] as const;
