import { z } from 'zod';
import type { RestMeta } from './metadata.js';
import { inPath } from './primitives.js';

type RouteText = Omit<RestMeta, 'method' | 'path'>;

const routeBelow =
  (base: `/${string}`) =>
  (method: RestMeta['method'], suffix: `/${string}`, text: RouteText): RestMeta => ({
    method,
    path: `${base}${suffix}`,
    protect: true,
    ...text,
    ...(text.success && { success: { ...text.success, location: `${base}${text.success.location}` } }),
  });

export const managementRoute = routeBelow('/api/v1/projects/{projectSlug}');

export const platformRoute = routeBelow('/api/v1/platform');

/** Delivery reads are GET requests; a credential is optional. */
export const deliveryRoute = (suffix: `/${string}`, text: RouteText): RestMeta => ({
  method: 'GET',
  path: `/api/delivery/projects/{projectSlug}/sites/{siteSlug}${suffix}`,
  pathAliases: { projectSlug: 'slug' },
  protect: false,
  ...text,
});

const ProjectSlug = inPath('Slug of the project.', 'demo');

/** Strict input of an operation in a project. */
export const inProject = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject({ projectSlug: ProjectSlug, ...shape });

/** Strict input of a delivery operation. */
export const inSite = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject({ projectSlug: ProjectSlug, siteSlug: inPath('Slug of the site.', 'main'), ...shape });
