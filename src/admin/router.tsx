import { createRoute, createRouter } from '@tanstack/react-router';
import { administrationRoutes } from './routes/administration-routes.js';
import { contentRoutes } from './routes/content-routes.js';
import { insightRoutes } from './routes/insight-routes.js';
import { mediaRoutes } from './routes/media-routes.js';
import { planningRoutes } from './routes/planning-routes.js';
import { projectRoute, rootRoute } from './routes/project-route.js';
import { structureRoutes } from './routes/structure-routes.js';
import { ProjectChoice } from './shell/project-choice.js';
import { ProjectEntrance } from './shell/project-entrance.js';

const start = createRoute({ getParentRoute: () => rootRoute, path: '/', component: ProjectChoice });
const entrance = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$project',
  component: ProjectEntrance,
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    start,
    entrance,
    projectRoute.addChildren([
      ...contentRoutes,
      ...structureRoutes,
      ...insightRoutes,
      ...administrationRoutes,
      ...mediaRoutes,
      ...planningRoutes,
    ]),
  ]),
  basepath: import.meta.env.BASE_URL,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
