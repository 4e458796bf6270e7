import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readCalendarSearch } from '../planning/calendar/days.js';
import { readTaskSearch, readBoardSearch } from './searches.js';
import { readResourceSearch } from '../resources/resource-search.js';
import { projectRoute } from './project-route.js';

const getParentRoute = () => projectRoute;

const calendar = createRoute({
  getParentRoute,
  path: '/calendar',
  component: lazyRouteComponent(() => import('../planning/calendar/calendar-screen.js'), 'CalendarScreen'),
  validateSearch: readCalendarSearch,
});
const translations = createRoute({
  getParentRoute,
  path: '/translations',
  component: lazyRouteComponent(() => import('../planning/translations/board-screen.js'), 'BoardScreen'),
  validateSearch: readBoardSearch,
});
const tasks = createRoute({
  getParentRoute,
  path: '/tasks',
  component: lazyRouteComponent(() => import('../planning/tasks/tasks-screen.js'), 'TasksScreen'),
  validateSearch: readTaskSearch,
});

const releases = createRoute({
  getParentRoute,
  path: '/releases',
  component: lazyRouteComponent(() => import('../planning/releases/releases-screen.js'), 'ReleasesScreen'),
  validateSearch: readResourceSearch,
});
const release = createRoute({
  getParentRoute,
  path: '/releases/$release',
  component: lazyRouteComponent(() => import('../planning/releases/release-screen.js'), 'ReleaseScreen'),
});

export const planningRoutes = [calendar, translations, tasks, releases, release] as const;
