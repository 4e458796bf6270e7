import { z } from 'zod';
import type { RestMeta, ToolLookup } from './metadata.js';
import { inPath } from './primitives.js';

type RouteOptions = Omit<RestMeta, 'method' | 'path'>;

const routeBelow =
  (base: `/${string}`) =>
  (method: RestMeta['method'], suffix: `/${string}`, options: RouteOptions): RestMeta => ({
    method,
    path: `${base}${suffix}`,
    protect: true,
    ...options,
    ...(options.success && {
      success: { ...options.success, location: `${base}${options.success.location}` },
    }),
  });

export const managementRoute = routeBelow('/api/v1/projects/{projectSlug}');

export const platformRoute = routeBelow('/api/v1/platform');

/** Delivery reads are GET requests with an optional credential. */
export const deliveryRoute = (suffix: `/${string}`, options: RouteOptions): RestMeta => ({
  method: 'GET',
  path: `/api/delivery/projects/{projectSlug}/sites/{siteSlug}${suffix}`,
  pathAliases: { projectSlug: 'slug' },
  protect: false,
  ...options,
});

const ProjectSlug = inPath('Slug of the project.', 'demo');

/** Agents name a site by its slug. */
export const siteBySlug = {
  key: 'siteId',
  description: 'Slug of the site.',
  read: 'sites.get',
  by: 'siteSlug',
  value: 'id',
} as const satisfies ToolLookup;

export const inProject = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject({ projectSlug: ProjectSlug, ...shape });

export const inSite = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject({ projectSlug: ProjectSlug, siteSlug: inPath('Slug of the site.', 'main'), ...shape });
