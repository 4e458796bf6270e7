import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Building, GitCompare, KeyRound, Layers, Network, UserCog, Users, Webhook } from 'lucide-react';
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
  staticData: {
    link: {
      area: 'administration',
      icon: Users,
      label: 'users.title',
      needs: ['users.create', 'users.update'],
    },
  },
  component: lazyRouteComponent(() => import('../administration/users-screen.js'), 'UsersScreen'),
  validateSearch: readResourceSearch,
});
const apiKeys = createRoute({
  getParentRoute,
  path: '/api-keys',
  staticData: {
    link: {
      area: 'administration',
      icon: KeyRound,
      label: 'apiKeys.title',
      needs: ['apiKeys.create', 'apiKeys.update'],
    },
  },
  component: lazyRouteComponent(() => import('../administration/api-keys-screen.js'), 'ApiKeysScreen'),
  validateSearch: readResourceSearch,
});
const tenants = createRoute({
  getParentRoute,
  path: '/tenants',
  staticData: {
    link: { area: 'administration', icon: Building, label: 'tenants.title', needs: ['tenants.create'] },
  },
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
  staticData: {
    link: {
      area: 'administration',
      icon: Webhook,
      label: 'webhooks.title',
      needs: ['webhooks.create', 'webhooks.update'],
    },
  },
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
  staticData: {
    link: {
      area: 'administration',
      icon: UserCog,
      label: 'roles.title',
      needs: ['roles.create', 'users.create'],
    },
  },
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
  staticData: {
    link: {
      area: 'administration',
      icon: Network,
      label: 'ip.title',
      needs: ['ipAllowlist.create', 'ipAllowlist.update'],
    },
  },
  component: lazyRouteComponent(
    () => import('../administration/ip-allowlist-screen.js'),
    'IpAllowlistScreen',
  ),
  validateSearch: readResourceSearch,
});
const environments = createRoute({
  getParentRoute,
  path: '/environments',
  staticData: {
    link: {
      area: 'administration',
      icon: Layers,
      label: 'environments.title',
      needs: ['environments.create', 'environments.update', 'promotions.promote'],
    },
  },
  component: lazyRouteComponent(
    () => import('../administration/environments-screen.js'),
    'EnvironmentsScreen',
  ),
  validateSearch: readResourceSearch,
});
const promote = createRoute({
  getParentRoute,
  path: '/promote',
  staticData: {
    link: { area: 'administration', icon: GitCompare, label: 'promote.title', needs: ['promotions.promote'] },
  },
  component: lazyRouteComponent(() => import('../administration/promote-screen.js'), 'PromoteScreen'),
  validateSearch: readPromoteSearch,
});

export const administrationRoutes = [
  ...([account, users, roles, role, apiKeys, webhooks, webhook, ipAllowlist] as const),
  ...([environments, promote, tenants, tenantProjects, tenantLocales, signOn] as const),
] as const;
