import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { administrationRoutes } from './routes/administration-routes.js';
import { contentRoutes, mediaRoutes } from './routes/content-routes.js';
import { insightRoutes } from './routes/insight-routes.js';
import { planningRoutes } from './routes/planning-routes.js';
import { projectRoute, rootRoute } from './routes/project-route.js';
import { structureRoutes } from './routes/structure-routes.js';
import { ProjectChoice } from './shell/project-choice.js';
import { ProjectEntrance, readEntranceSearch } from './shell/project-entrance.js';

const start = createRoute({ getParentRoute: () => rootRoute, path: '/', component: ProjectChoice });
const signOnReturn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on',
  component: lazyRouteComponent(() => import('./session/sign-on-return.js'), 'SignOnReturn'),
});
const entrance = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$project',
  component: ProjectEntrance,
  validateSearch: readEntranceSearch,
});

/** Pages that need no session. */
const accountPage = <P extends string>(path: P, name: 'InvitationPage' | 'PasswordPage' | 'ForgottenPage') =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyRouteComponent(() => import('./session/account-pages.js'), name),
  });
const accountPages = [
  accountPage('/invitation', 'InvitationPage'),
  accountPage('/password', 'PasswordPage'),
  accountPage('/forgot-password', 'ForgottenPage'),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    start,
    ...accountPages,
    signOnReturn,
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
