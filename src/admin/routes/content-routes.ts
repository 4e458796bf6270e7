import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Images } from 'lucide-react';
import { readEntrySearch } from './searches.js';
import { EntryListScreen } from '../entries/entry-list-screen.js';
import { readListSearch } from '../entries/list-search.js';
import { loadAhead } from '../ui/lazy-part.js';
import { projectRoute } from './project-route.js';
import { readMediaSearch } from '../media/library/media-search.js';

const library = createRoute({
  getParentRoute: () => projectRoute,
  path: '/media',
  staticData: { link: { area: 'media', icon: Images, label: 'media.library' } },
  component: lazyRouteComponent(() => import('../media/library/media-screen.js'), 'MediaScreen'),
  validateSearch: readMediaSearch,
});
const asset = createRoute({
  getParentRoute: () => projectRoute,
  path: '/media/$asset',
  component: lazyRouteComponent(() => import('../media/details/asset-screen.js'), 'AssetScreen'),
});

export const mediaRoutes = [library, asset] as const;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const getParentRoute = () => projectRoute;

const loadEditor = () => import('../editor/entry-screen.js');

const list = createRoute({
  getParentRoute,
  path: '/',
  component: EntryListScreen,
  // Entries open without a wait, and offline as well.
  onEnter: () => loadAhead(loadEditor),
  validateSearch: readListSearch,
});
const newEntry = createRoute({
  getParentRoute,
  path: '/new/$type',
  component: lazyRouteComponent(() => import('../editor/new-entry-screen.js'), 'NewEntryScreen'),
  validateSearch: ({ locale, site }: Record<string, unknown>) => ({ locale: text(locale), site: text(site) }),
});
const entry = createRoute({
  getParentRoute,
  path: '/entries/$entry',
  component: lazyRouteComponent(loadEditor, 'EntryScreen'),
  validateSearch: readEntrySearch,
});

export const contentRoutes = [list, newEntry, entry] as const;
