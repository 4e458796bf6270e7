import type { JobKind, PendingSchedule } from '../../../../contracts/resources/schedule.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { cancelSchedules } from '../schedules/canceled-schedules.js';
import { localeOf, withLocale, type StoredEntry } from '../stored-entry.js';
import { isAdmitted, isRefusal, type Outcome } from './locale-targets.js';

const waitingFor = (entry: StoredEntry, locale: string, kind: JobKind): readonly PendingSchedule[] =>
  (localeOf(entry, locale)?.scheduled ?? []).filter((job) => job.kind === kind);

function withoutWaiting(entry: StoredEntry, locale: string, kind: JobKind): StoredEntry {
  const state = localeOf(entry, locale);
  if (state?.scheduled === undefined) return entry;
  return withLocale(entry, { ...state, scheduled: state.scheduled.filter((job) => job.kind !== kind) });
}

/**
 * Cancels the waiting jobs that a call has made pointless: of the same kind and locale (decisions 3.11). Sends no
 * statement if there are none.
 */
export async function cancelPointless(
  work: UnitOfWork,
  catalog: Catalog,
  { outcomes, kind }: { outcomes: readonly Outcome[]; kind: JobKind },
): Promise<Outcome[]> {
  const done = outcomes.filter(isAdmitted);
  const jobIds = done
    .flatMap(({ after, locale }) => waitingFor(after, locale, kind))
    .map(({ jobId }) => jobId);
  await cancelSchedules(work, catalog, {
    entries: done.map(({ after }) => after),
    jobIds,
    reason: kind === 'publish' ? 'published' : 'unpublished',
  });
  if (jobIds.length === 0) return [...outcomes];
  return outcomes.map((outcome) =>
    isRefusal(outcome) ? outcome : { ...outcome, after: withoutWaiting(outcome.after, outcome.locale, kind) },
  );
}
