import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readResourceSearch } from '../resources/resource-search.js';
import { projectRoute } from './project-route.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const getParentRoute = () => projectRoute;

const tree = createRoute({
  getParentRoute,
  path: '/tree',
  component: lazyRouteComponent(() => import('../structure/tree/tree-screen.js'), 'TreeScreen'),
  validateSearch: ({ site, locale }: Record<string, unknown>) => ({ site: text(site), locale: text(locale) }),
});

const redirects = createRoute({
  getParentRoute,
  path: '/redirects',
  component: lazyRouteComponent(
    () => import('../structure/redirects/redirects-screen.js'),
    'RedirectsScreen',
  ),
  validateSearch: readResourceSearch,
});
const sites = createRoute({
  getParentRoute,
  path: '/sites',
  component: lazyRouteComponent(() => import('../structure/sites-screen.js'), 'SitesScreen'),
  validateSearch: readResourceSearch,
});
const customFieldTypes = createRoute({
  getParentRoute,
  path: '/custom-field-types',
  component: lazyRouteComponent(
    () => import('../structure/custom-field-types-screen.js'),
    'CustomFieldTypesScreen',
  ),
  validateSearch: readResourceSearch,
});
const workflows = createRoute({
  getParentRoute,
  path: '/workflows',
  component: lazyRouteComponent(
    () => import('../structure/workflows/workflows-screen.js'),
    'WorkflowsScreen',
  ),
  validateSearch: readResourceSearch,
});

const types = createRoute({
  getParentRoute,
  path: '/content-types',
  component: lazyRouteComponent(() => import('../structure/types/types-screen.js'), 'TypesScreen'),
  validateSearch: readResourceSearch,
});
const type = createRoute({
  getParentRoute,
  path: '/content-types/$type',
  component: lazyRouteComponent(() => import('../structure/types/type-screen.js'), 'TypeScreen'),
});

const schema = createRoute({
  getParentRoute,
  path: '/schema',
  component: lazyRouteComponent(() => import('../structure/schema/schema-screen.js'), 'SchemaScreen'),
  validateSearch: ({ applied }: Record<string, unknown>) => ({ applied: text(applied) }),
});

export const structureRoutes = [
  ...([tree, types, type, redirects, sites] as const),
  ...([workflows, customFieldTypes, schema] as const),
] as const;
