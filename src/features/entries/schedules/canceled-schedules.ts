import type { JobKind, PendingSchedule } from '../../../../contracts/resources/schedule.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository, type WaitingJob } from '../../jobs/index.js';
import { presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { isAdmitted, isRefusal, type Outcome } from '../publication/locale-targets.js';
import { localeOf, withLocale, type StoredEntry } from '../stored-entry.js';

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
  const {
    id: entryId,
    contentTypeApiName,
    siteId,
    slug,
    version,
    status,
  } = presentEntry(entry, locale, catalog);
  work.emit({
    type: 'entry.schedule_canceled',
    data: { ...shown, entryId, contentTypeApiName, siteId, locale, slug, version, status, reason },
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
