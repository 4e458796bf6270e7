import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from './project-route.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const getParentRoute = () => projectRoute;

const tree = createRoute({
  getParentRoute,
  path: '/tree',
  component: lazyRouteComponent(() => import('../structure/tree/tree-screen.js'), 'TreeScreen'),
  validateSearch: ({ site, locale }: Record<string, unknown>) => ({ site: text(site), locale: text(locale) }),
});

export const structureRoutes = [tree] as const;
