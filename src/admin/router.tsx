import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { CalendarDays, Languages, ListChecks, PackageCheck } from 'lucide-react';
import { administrationRoutes } from './routes/administration-routes.js';
import { contentRoutes, mediaRoutes } from './routes/content-routes.js';
import { insightRoutes } from './routes/insight-routes.js';
import { projectRoute, rootRoute } from './routes/project-route.js';
import { structureRoutes } from './routes/structure-routes.js';
import { ProjectEntrance, readEntranceSearch } from './shell/project-entrance.js';
import { readCalendarSearch } from './planning/calendar/days.js';
import { readTaskSearch, readBoardSearch } from './routes/searches.js';
import { readResourceSearch } from './resources/resource-search.js';

const getParentRoute = () => projectRoute;

const calendar = createRoute({
  getParentRoute,
  path: '/calendar',
  staticData: { link: { area: 'planning', icon: CalendarDays, label: 'calendar.title' } },
  component: lazyRouteComponent(() => import('./planning/calendar/calendar-screen.js'), 'CalendarScreen'),
  validateSearch: readCalendarSearch,
});
const translations = createRoute({
  getParentRoute,
  path: '/translations',
  staticData: { link: { area: 'planning', icon: Languages, label: 'board.title' } },
  component: lazyRouteComponent(() => import('./planning/translations/board-screen.js'), 'BoardScreen'),
  validateSearch: readBoardSearch,
});
const tasks = createRoute({
  getParentRoute,
  path: '/tasks',
  staticData: { link: { area: 'planning', icon: ListChecks, label: 'tasks.title' } },
  component: lazyRouteComponent(() => import('./planning/tasks/tasks-screen.js'), 'TasksScreen'),
  validateSearch: readTaskSearch,
});

const releases = createRoute({
  getParentRoute,
  path: '/releases',
  staticData: {
    link: { area: 'planning', icon: PackageCheck, label: 'releases.title', needs: ['releases.list'] },
  },
  component: lazyRouteComponent(() => import('./planning/releases/releases-screen.js'), 'ReleasesScreen'),
  validateSearch: readResourceSearch,
});
const release = createRoute({
  getParentRoute,
  path: '/releases/$release',
  component: lazyRouteComponent(() => import('./planning/releases/release-screen.js'), 'ReleaseScreen'),
});

const planningRoutes = [calendar, releases, release, translations, tasks] as const;

const start = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./shell/project-choice.js'), 'ProjectChoice'),
});
const signOnReturn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on',
  component: lazyRouteComponent(() => import('./session/sign-on-return.js'), 'SignOnReturn'),
});
const oauthConsent = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth',
  component: lazyRouteComponent(() => import('./session/oauth-consent.js'), 'OAuthConsent'),
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
    oauthConsent,
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
