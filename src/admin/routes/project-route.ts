import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { enterEnvironment } from '../api/client.js';
import { Root, Broken, NotFound } from '../shell/root.js';

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: Broken,
});

/** Around every screen of a project. Areas add their routes below it. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$project/$environment',
  // Every call from there on names the environment.
  beforeLoad: ({ params }) => {
    enterEnvironment(params.environment);
  },
  component: lazyRouteComponent(() => import('../shell/project-shell.js'), 'ProjectShell'),
});
