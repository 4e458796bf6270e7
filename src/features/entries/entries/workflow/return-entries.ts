import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import { EntryStateRepository } from './entry-state.repository.js';
import { emitReturned, returningStates } from './save-content.js';

/** Content of an entry that changes; a null locale is what all locales share, and locales that end. */
export interface ChangedContent {
  readonly id: string;
  readonly locale: string | null;
  /** Fields, and `_slug`. */
  readonly names: readonly string[];
}

/** Entries read by one statement. */
const BATCH = 500;

/**
 * For writers of rows: entries whose content changes leave a state that allows publishing, as by an edit (rule workflows/changed-content).
 * The fields are those of the catalog.
 */
export async function returnEntries(
  work: UnitOfWork,
  catalog: Catalog,
  content: readonly ChangedContent[],
): Promise<void> {
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

/** As {@link returnEntries}, for writers that leave no version: pending approvals are dropped, too. */
export async function leaveApproval(
  work: UnitOfWork,
  catalog: Catalog,
  content: readonly ChangedContent[],
): Promise<void> {
  await returnEntries(work, catalog, content);
  await work.use(EntryStateRepository).dropApprovals(content);
}
