import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { enterEnvironment } from './api/client.js';
import { NewEntryScreen } from './editor/new-entry-screen.js';
import { EntryScreen } from './editor/entry-screen.js';
import { EntryListScreen } from './entries/entry-list-screen.js';
import { readListSearch } from './entries/list-search.js';
import { Broken, NotFound } from './shell/problem-screens.js';
import { ProjectChoice } from './shell/project-choice.js';
import { ProjectEntrance } from './shell/project-entrance.js';
import { ProjectShell } from './shell/project-shell.js';
import { Root } from './shell/root.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Broken });
const start = createRoute({ getParentRoute: () => root, path: '/', component: ProjectChoice });
const entrance = createRoute({ getParentRoute: () => root, path: '/$project', component: ProjectEntrance });
const project = createRoute({
  getParentRoute: () => root,
  path: '/$project/$environment',
  // Every call from there on names the environment.
  beforeLoad: ({ params }) => {
    enterEnvironment(params.environment);
  },
  component: ProjectShell,
});
const list = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: EntryListScreen,
  validateSearch: readListSearch,
});
const newEntry = createRoute({
  getParentRoute: () => project,
  path: '/new/$type',
  component: NewEntryScreen,
  validateSearch: ({ locale, site }: Record<string, unknown>) => ({ locale: text(locale), site: text(site) }),
});
const entry = createRoute({
  getParentRoute: () => project,
  path: '/entries/$entry',
  component: EntryScreen,
  validateSearch: ({ locale }: Record<string, unknown>) => ({ locale: text(locale) }),
});

export const router = createRouter({
  routeTree: root.addChildren([start, entrance, project.addChildren([list, newEntry, entry])]),
  basepath: import.meta.env.BASE_URL,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
