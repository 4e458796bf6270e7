import { readMedia, type ReadMedia } from '../features/delivery/index.js';
import type { OperationScope } from './call.js';

/** Assets of the environment; reads are traced. */
export function mediaOf({ catalog, services, trace }: OperationScope): ReadMedia {
  if (catalog === null) throw new Error('Delivery requires a project');
  const { environment, project } = catalog.data;
  return readMedia(services.publishedMedia(environment.id), {
    trace,
    urls: services.media.urls,
    projectSlug: project.slug,
  });
}
