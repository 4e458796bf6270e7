import { AppError } from '../../../contracts/errors.js';
import { numberedSlug } from '../../content/make-slug.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { RouteRepository } from './route.repository.js';
import { TreeNodeRepository } from './tree-node.repository.js';
import type { SiblingGroup } from './tree-order.repository.js';

/** Numbered slugs checked per statement. */
const CANDIDATES = 50;

async function takenSlugs(
  work: UnitOfWork,
  { siteId, parentId }: SiblingGroup,
  { slugs, nodeId }: { slugs: readonly string[]; nodeId: string | null },
): Promise<Set<string>> {
  if (siteId !== null) {
    const place = { siteId, parentId, locale: null, entryId: null, nodeId };
    return work.use(RouteRepository).takenSegments(place, slugs);
  }
  const nodes = work.use(TreeNodeRepository);
  const found = new Set<string>();
  for (const slug of slugs) if (await nodes.hasFolder(parentId, slug, nodeId)) found.add(slug);
  return found;
}

/** @throws AppError 409 `slug_conflict` */
export async function assertFolderFree(
  work: UnitOfWork,
  group: SiblingGroup,
  { slug, nodeId }: { slug: string; nodeId: string | null },
): Promise<void> {
  if ((await takenSlugs(work, group, { slugs: [slug], nodeId })).size > 0)
    throw new AppError('slug_conflict', { slug });
}

/** The generated slug or the first free `slug-2`, `slug-3`, … */
export async function freeFolderSlug(
  work: UnitOfWork,
  group: SiblingGroup,
  made: string | null,
): Promise<string> {
  const slug = made ?? 'folder';
  const candidates = Array.from({ length: CANDIDATES }, (_, index) =>
    index === 0 ? slug : numberedSlug(slug, index + 1),
  );
  const known = await takenSlugs(work, group, { slugs: candidates, nodeId: null });
  return candidates.find((candidate) => !known.has(candidate)) ?? numberedSlug(slug, work.newId());
}
