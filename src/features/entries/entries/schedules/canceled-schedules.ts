import type { Catalog } from '../../../../content/catalog.js';
import { presentState } from '../entry.presenter.js';
import type { StoredEntry } from '../stored-entry.js';
import type { PendingSchedule } from '../../../../../contracts/entries/schedules/schedule.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository, type WaitingJob } from '../../../operations/jobs/index.js';
import { EntryRepository } from '../entry.repository.js';

/** The entry's part of an event about one of its jobs. */
export function entryData(catalog: Catalog, entry: StoredEntry, locale: string) {
  const { id, contentTypeApiName, siteId, slug, version, status } = presentState(entry, locale, catalog);
  return { entryId: id, contentTypeApiName, siteId, locale, slug, version, status };
}

/** What a canceled job gave way to. */
type CancelReason = 'request' | 'replaced' | 'published' | 'unpublished' | 'deleted';

export const presentPending = ({ id, kind, scheduledAt, timezone }: WaitingJob): PendingSchedule => ({
  jobId: id,
  kind,
  scheduledAt: scheduledAt.toISOString(),
  timezone,
});

interface Cancellation {
  /** Of these entries. */
  readonly entries: readonly StoredEntry[];
  readonly jobIds: readonly string[];
  readonly reason: CancelReason;
}

function noteCanceled(
  work: UnitOfWork,
  catalog: Catalog,
  { entry, job, reason }: { entry: StoredEntry; job: WaitingJob; reason: CancelReason },
): void {
  const { locale } = job;
  const shown = presentPending(job);
  work.use(EntryRepository).note({
    action: 'entry.schedule_canceled',
    entry,
    locale,
    before: { ...shown, status: 'scheduled' },
    after: { ...shown, status: 'canceled', reason },
    isAlong: reason !== 'request',
  });
  work.emit({
    type: 'entry.schedule_canceled',
    data: { ...shown, ...entryData(catalog, entry, locale), reason },
  });
}

/**
 * Cancels those of these jobs that still wait, each with its audit record and event. The caller holds the locks of
 * the entries.
 */
export async function cancelSchedules(
  work: UnitOfWork,
  catalog: Catalog,
  { entries, jobIds, reason }: Cancellation,
): Promise<WaitingJob[]> {
  const canceled = await work.use(ScheduledJobRepository).cancel(jobIds);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const job of canceled) {
    const entry = byId.get(job.entryId);
    if (entry !== undefined) noteCanceled(work, catalog, { entry, job, reason });
  }
  return canceled;
}
