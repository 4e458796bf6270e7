import type { SiteDefinition } from '../../content/catalog.js';
import { publicPath } from '../../content/route-path.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { EntryTreeRepository } from '../tree/index.js';
import { PreviewRepository } from './preview.repository.js';
import { fillPlaceholders, type PreviewPlace } from './preview-url.js';

type Place = Pick<PreviewPlace, 'slug' | 'locale' | 'entryId'>;

/**
 * The route that the entry will have in the locale, else the `previewPath` of its type, else its slug (decisions 3.1).
 * Starts with a slash.
 */
export async function previewPath(
  work: UnitOfWork,
  site: SiteDefinition,
  { contentTypeId, ...place }: Place & { readonly contentTypeId: string },
): Promise<string> {
  const route = await work.use(EntryTreeRepository).draftPath(place.entryId, place.locale);
  if (route !== undefined) return publicPath(site, place.locale, route);
  const template = (await work.use(PreviewRepository).pathOf(contentTypeId)) ?? '/{slug}';
  return `/${fillPlaceholders(template, place).replace(/^\/+/, '')}`;
}
