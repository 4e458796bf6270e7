import { createRoute } from '@tanstack/react-router';
import { readEntrySearch } from '../editor/entry-search.js';
import { NewEntryScreen } from '../editor/new-entry-screen.js';
import { EntryScreen } from '../editor/entry-screen.js';
import { EntryListScreen } from '../entries/entry-list-screen.js';
import { readListSearch } from '../entries/list-search.js';
import { projectRoute } from './project-route.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const getParentRoute = () => projectRoute;

const list = createRoute({
  getParentRoute,
  path: '/',
  component: EntryListScreen,
  validateSearch: readListSearch,
});
const newEntry = createRoute({
  getParentRoute,
  path: '/new/$type',
  component: NewEntryScreen,
  validateSearch: ({ locale, site }: Record<string, unknown>) => ({ locale: text(locale), site: text(site) }),
});
const entry = createRoute({
  getParentRoute,
  path: '/entries/$entry',
  component: EntryScreen,
  validateSearch: readEntrySearch,
});

export const contentRoutes = [list, newEntry, entry] as const;
