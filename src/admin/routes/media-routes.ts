import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readMediaSearch } from '../media/library/media-search.js';
import { projectRoute } from './project-route.js';

const library = createRoute({
  getParentRoute: () => projectRoute,
  path: '/media',
  component: lazyRouteComponent(() => import('../media/library/media-screen.js'), 'MediaScreen'),
  validateSearch: readMediaSearch,
});
const asset = createRoute({
  getParentRoute: () => projectRoute,
  path: '/media/$asset',
  component: lazyRouteComponent(() => import('../media/details/asset-screen.js'), 'AssetScreen'),
});

export const mediaRoutes = [library, asset] as const;
