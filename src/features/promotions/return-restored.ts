import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import {
  emitReturned,
  EntryRepository,
  EntryStateRepository,
  noValues,
  returningStates,
} from '../entries/index.js';
import type { RestoredContent } from './restored-content.repository.js';

/** Entries read by one statement. */
const BATCH = 500;

/**
 * Once rows are put back: entries whose content that changed leave a state that allows publishing, as by an edit, also if
 * they were approved before the promotion (decisions 4.10). The workflows are those that the rollback leaves.
 */
export async function returnRestored(work: UnitOfWork, content: readonly RestoredContent[]): Promise<void> {
  if (content.length === 0) return;
  const catalog = await work.use(CatalogRepository).current();
  const byEntry = [...Map.groupBy(content, ({ id }) => id)];
  for (let start = 0; start < byEntry.length; start += BATCH) {
    const some = byEntry.slice(start, start + BATCH);
    const reader = work.use(EntryRepository);
    const entries = await reader.readAll(
      some.map(([id]) => id),
      noValues,
    );
    const returning = some.flatMap(([id, parts]) => {
      const entry = entries.get(id);
      if (entry === undefined) return [];
      const changedFields = [...new Set(parts.flatMap(({ names }) => names))];
      const locales = parts.flatMap(({ locale }) => (locale === null ? [] : [locale]));
      return returningStates(catalog, { entry, changedFields, locales });
    });
    await work.use(EntryStateRepository).enter(returning);
    const left = Map.groupBy(returning, ({ entryId }) => entryId);
    for (const [id, after] of await reader.readAll([...left.keys()], noValues))
      emitReturned(work, catalog, { after, returning: left.get(id) ?? [] });
  }
}
