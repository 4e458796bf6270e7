import { AppError } from '../../../../contracts/errors.js';
import type { calendar } from '../../../../contracts/management/calendar.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { RescheduledJob } from '../../../../contracts/resources/calendar-item.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { ScheduledJobRepository, type WaitingJob } from '../../jobs/index.js';
import { futureTime, type ZonedTime } from '../../schedules/index.js';
import { authorizeChange } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../read-values.js';
import type { StoredEntry } from '../stored-entry.js';
import { cancelSchedules, presentPending } from './canceled-schedules.js';
import { entryData } from './event-data.js';

type Input = InputOf<typeof calendar.reschedule>;

interface Waiting {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  readonly job: WaitingJob;
}

/** Locks the entry of the job, as writers of jobs must, and checks the right to schedule it. */
async function lockJob(work: UnitOfWork, jobId: string): Promise<Waiting> {
  const catalog = await work.use(CatalogRepository).current();
  const jobs = work.use(ScheduledJobRepository);
  const entryId = await jobs.entryOf(jobId);
  if (entryId === undefined) throw new AppError('job_not_found');
  const entry = await work.use(EntryRepository).lock(entryId, noValues);
  const job = await jobs.find(entry.id, jobId);
  if (job === undefined) throw new AppError('job_not_found');
  await authorizeChange(work, entry, { catalog, action: job.kind, locales: [job.locale] });
  if (job.status !== 'scheduled') throw new AppError('job_not_reschedulable', { status: job.status });
  return { catalog, entry, job };
}

async function move(work: UnitOfWork, { catalog, entry, job }: Waiting, time: ZonedTime): Promise<void> {
  if (!(await work.use(ScheduledJobRepository).move(job.id, time)))
    throw new AppError('job_not_reschedulable', { status: 'running' });
  const before = presentPending(job);
  const after = { ...before, scheduledAt: time.at.toISOString(), timezone: time.timezone };
  const { locale } = job;
  work.use(EntryRepository).note({ action: 'entry.reschedule', entry, locale, before: { ...before }, after });
  work.emit({ type: 'entry.scheduled', data: { ...after, ...entryData(catalog, entry, locale) } });
  work.wake(time.at);
}

/**
 * Moves a waiting job, or cancels it.
 * @throws AppError 404 `job_not_found`; 409 `job_not_reschedulable` with its status; 422 for a time that has passed
 */
export async function rescheduleJob(
  work: UnitOfWork,
  { jobId, scheduledAt, timezone }: Input,
): Promise<{ data: RescheduledJob }> {
  const time = await futureTime(work, { scheduledAt: scheduledAt ?? undefined, timezone });
  const waiting = await lockJob(work, jobId);
  const { catalog, entry, job } = waiting;
  const { kind, locale } = job;
  const shown = { jobId, kind, entryId: entry.id, locale };
  if (time !== undefined) {
    await move(work, waiting, time);
    return {
      data: { ...shown, status: 'scheduled', scheduledAt: time.at.toISOString(), timezone: time.timezone },
    };
  }
  await cancelSchedules(work, catalog, { entries: [entry], jobIds: [jobId], reason: 'request' });
  const { scheduledAt: at, timezone: zone } = job;
  return { data: { ...shown, status: 'canceled', scheduledAt: at.toISOString(), timezone: zone } };
}
