import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { EntryTreeRepository, type EntryPlace } from '../../tree/index.js';
import { lockPlaces } from '../drafts/entry-place.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import type { StoredEntry } from '../stored-entry.js';

/**
 * Locks the trees of copies whose rows are written, so that other writers wait only for what follows. Slugs were
 * chosen without the lock: where one has been taken since, the unit of work runs again.
 */
export async function lockCopies(work: UnitOfWork, copies: readonly StoredEntry[]): Promise<void> {
  const places = copies.flatMap(({ place }): EntryPlace[] => (place === null ? [] : [place]));
  await lockPlaces(work, places);
  const slugs = work.use(SlugRepository);
  const checks = copies
    .filter(({ place, siteId }) => place?.siteId === siteId)
    .flatMap(({ id: entryId, locales, ...entry }) =>
      locales.map(({ locale, slug }) => slugs.assertFree(slug, { ...entry, locale, entryId })),
    );
  await Promise.all(checks);
}

/** In the given order, each last among its siblings. Requires the lock. */
export async function placeCopies(work: UnitOfWork, copies: readonly StoredEntry[]): Promise<void> {
  const trees = work.use(EntryTreeRepository);
  for (const copy of copies) await trees.insert(copy);
}
