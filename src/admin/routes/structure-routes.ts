import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  CornerDownRight,
  FileCode,
  Globe,
  Import,
  ListTree,
  Puzzle,
  Shapes,
  TextSearch,
  Workflow,
} from 'lucide-react';
import { readResourceSearch } from '../resources/resource-search.js';
import { projectRoute } from './project-route.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const getParentRoute = () => projectRoute;

const tree = createRoute({
  getParentRoute,
  path: '/tree',
  staticData: { link: { area: 'structure', icon: ListTree, label: 'tree.title' } },
  component: lazyRouteComponent(() => import('../structure/tree/tree-screen.js'), 'TreeScreen'),
  validateSearch: ({ site, locale }: Record<string, unknown>) => ({ site: text(site), locale: text(locale) }),
});

const redirects = createRoute({
  getParentRoute,
  path: '/redirects',
  staticData: {
    link: {
      area: 'structure',
      icon: CornerDownRight,
      label: 'redirects.title',
      needs: ['redirects.create', 'redirects.update'],
    },
  },
  component: lazyRouteComponent(
    () => import('../structure/redirects/redirects-screen.js'),
    'RedirectsScreen',
  ),
  validateSearch: readResourceSearch,
});
const sites = createRoute({
  getParentRoute,
  path: '/sites',
  staticData: {
    link: { area: 'structure', icon: Globe, label: 'sites.title', needs: ['sites.create', 'sites.update'] },
  },
  component: lazyRouteComponent(() => import('../structure/sites-screen.js'), 'SitesScreen'),
  validateSearch: readResourceSearch,
});
const customFieldTypes = createRoute({
  getParentRoute,
  path: '/custom-field-types',
  staticData: {
    link: {
      area: 'structure',
      icon: Puzzle,
      label: 'customFieldTypes.title',
      needs: ['customFieldTypes.create'],
    },
  },
  component: lazyRouteComponent(
    () => import('../structure/custom-field-types-screen.js'),
    'CustomFieldTypesScreen',
  ),
  validateSearch: readResourceSearch,
});
const workflows = createRoute({
  getParentRoute,
  path: '/workflows',
  staticData: {
    link: {
      area: 'structure',
      icon: Workflow,
      label: 'workflows.title',
      needs: ['workflows.create', 'workflows.update'],
    },
  },
  component: lazyRouteComponent(
    () => import('../structure/workflows/workflows-screen.js'),
    'WorkflowsScreen',
  ),
  validateSearch: readResourceSearch,
});

const search = createRoute({
  getParentRoute,
  path: '/search-settings',
  staticData: {
    link: {
      area: 'structure',
      icon: TextSearch,
      label: 'searchSettings.title',
      needs: ['search.setSettings'],
    },
  },
  component: lazyRouteComponent(() => import('../structure/search-screen.js'), 'SearchScreen'),
});

const imports = createRoute({
  getParentRoute,
  path: '/imports',
  staticData: {
    link: { area: 'structure', icon: Import, label: 'imports.title', needs: ['imports.start'] },
  },
  component: lazyRouteComponent(() => import('../administration/imports/imports-screen.js'), 'ImportsScreen'),
});
const importJob = createRoute({
  getParentRoute,
  path: '/imports/$job',
  component: lazyRouteComponent(() => import('../administration/imports/import-screen.js'), 'ImportScreen'),
});

const types = createRoute({
  getParentRoute,
  path: '/content-types',
  staticData: {
    link: {
      area: 'structure',
      icon: Shapes,
      label: 'types.title',
      needs: ['contentTypes.create', 'contentTypes.update'],
    },
  },
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
  staticData: {
    link: {
      area: 'structure',
      icon: FileCode,
      label: 'schema.title',
      needs: ['contentTypes.create', 'contentTypes.update'],
    },
  },
  component: lazyRouteComponent(() => import('../structure/schema/schema-screen.js'), 'SchemaScreen'),
  validateSearch: ({ applied }: Record<string, unknown>) => ({ applied: text(applied) }),
});

export const structureRoutes = [
  ...([tree, types, type, schema, redirects] as const),
  ...([sites, workflows, customFieldTypes, search] as const),
  ...([imports, importJob] as const),
] as const;
