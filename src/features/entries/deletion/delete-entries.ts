import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository } from '../../jobs/index.js';
import { EntryTreeRepository } from '../../tree/index.js';
import { authorizeEntry, entryPaths } from '../access/entry-rights.js';
import { entryEvent } from '../entry.events.js';
import { assertVersion } from '../access/entry.policy.js';
import { presentState, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesIn } from '../read-values.js';
import {
  isAdmitted,
  isRefusal,
  catchRefusal,
  type Applied,
  type LocaleTarget,
  type Refusal,
} from '../publication/locale-targets.js';
import { PublicationRepository } from '../publication/publication.repository.js';
import { cancelSchedules } from '../schedules/canceled-schedules.js';
import { isLive, type StoredEntry } from '../stored-entry.js';
import { markOffline } from '../publication/unpublish-locales.js';
import { checkWithdrawals } from '../publication/withdrawal.policy.js';

/** `referrerCount`: entries that still link to it. */
export interface Deletion extends Applied {
  readonly referrerCount: number;
  /** Child nodes that moved up in its place. */
  readonly liftedCount: number;
}

function markDeleted(work: UnitOfWork, entry: StoredEntry): StoredEntry {
  const { now, scope } = work;
  const locales = entry.locales.map((state) => ({ ...markOffline(state), scheduled: [] }));
  return { ...entry, place: null, deletedAt: now, updatedAt: now, updatedBy: scope.actor, locales };
}

async function lockDeletable(
  work: UnitOfWork,
  catalog: Catalog,
  targets: readonly LocaleTarget[],
): Promise<({ id: string; entry: StoredEntry } | Refusal)[]> {
  const entries = await work.use(EntryRepository).lockAll(
    targets.map(({ id }) => id),
    valuesIn(),
    'exclusive',
  );
  const paths = await entryPaths(work, 'delete', [...entries.keys()]);
  return targets.map(({ id, version }) =>
    catchRefusal(id, () => {
      const entry = entries.get(id.toLowerCase());
      if (entry === undefined) throw new AppError('entry_not_found');
      const locales = entry.locales.map(({ locale }) => locale);
      authorizeEntry(work, entry, { catalog, action: 'delete', locales, paths, isLive: isLive(entry) });
      assertVersion(entry, version);
      return { id, entry };
    }),
  );
}

/**
 * Set-based: the number of statements does not depend on the number of entries. The caller writes the audit record.
 */
export async function deleteEntries(
  work: UnitOfWork,
  catalog: Catalog,
  targets: readonly LocaleTarget[],
): Promise<(Deletion | Refusal)[]> {
  const found = await lockDeletable(work, catalog, targets);
  const withdrawals = found
    .filter(isAdmitted)
    .map(({ entry }) => ({ entryId: entry.id, locales: entry.locales.map(({ locale }) => locale) }));
  const { refusals, referrerCounts } = await checkWithdrawals(work, catalog, withdrawals);
  const leaving = withdrawals.filter(({ entryId }) => !refusals.has(entryId));
  const publications = work.use(PublicationRepository);
  await publications.unpublish(leaving);
  const ids = leaving.map(({ entryId }) => entryId);
  await publications.softDelete(ids, work.now, work.scope.actor);
  const removed = found
    .filter(isAdmitted)
    .map(({ entry }) => entry)
    .filter(({ id }) => ids.includes(id));
  const waiting = [...(await work.use(ScheduledJobRepository).waitingOf(ids)).values()].flat();
  await cancelSchedules(work, catalog, {
    entries: removed,
    jobIds: waiting.map(({ id }) => id),
    reason: 'deleted',
  });
  const lifted = await work.use(EntryTreeRepository).remove(removed);
  return found.map((target) => {
    if (isRefusal(target)) return target;
    const { id, entry: before } = target;
    const error = refusals.get(before.id);
    if (error !== undefined) return { id, error };
    const after = markDeleted(work, before);
    const locale = shownLocale(before, catalog);
    work.emit(entryEvent('deleted', presentState(after, locale, catalog)));
    const referrerCount = referrerCounts.get(before.id) ?? 0;
    return {
      id,
      locale,
      before,
      after,
      isChanged: true,
      referrerCount,
      liftedCount: lifted.get(before.id) ?? 0,
    };
  });
}
