import { listEnvelope, type PageMeta, type Deleted } from '../../../../../contracts/envelopes.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { EntrySchedule } from '../../../../../contracts/entries/schedules/schedule.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  ScheduleListRepository,
  type StoredSchedule,
  ScheduledJobRepository,
  type WaitingJob,
} from '../../../operations/jobs/index.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../anchored-values.js';
import { AppError } from '../../../../../contracts/errors.js';
import type { Catalog } from '../../../../content/catalog.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { authorizeChange } from '../access/entry-rights.js';
import type { StoredEntry } from '../stored-entry.js';
import type { calendar } from '../../../../../contracts/publishing/calendar/calendar.contract.js';
import { presentPending, cancelSchedules, entryData } from './canceled-schedules.js';
import type { RescheduledJob } from '../../../../../contracts/publishing/calendar/calendar-item.js';
import { futureTime, type ZonedTime } from '../../schedules/index.js';

function presentSchedule(entryId: string, { id, options, error, ...job }: StoredSchedule): EntrySchedule {
  const { comment } = options;
  return {
    jobId: id,
    entryId,
    ...job,
    scheduledAt: job.scheduledAt.toISOString(),
    comment: typeof comment === 'string' ? comment : null,
    error: error && { code: error.code, message: error.message },
    createdAt: job.createdAt.toISOString(),
    completedAt: job.completedAt?.toISOString() ?? null,
  };
}

export async function listSchedules(
  work: UnitOfWork,
  input: InputOf<typeof entries.listSchedules>,
): Promise<{ data: EntrySchedule[]; meta: PageMeta }> {
  const { id } = await work.use(EntryRepository).find(input.id, noValues);
  const { page, limit, status: statuses = ['scheduled'] } = input;
  const jobs = await work
    .use(ScheduleListRepository)
    .list(id, { statuses, limit, offset: (page - 1) * limit });
  const items = jobs.items.map((job) => presentSchedule(id, job));
  return listEnvelope({ items, total: jobs.total }, input);
}

interface Waiting {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  readonly job: WaitingJob;
}

/**
 * Locks the entry of the job, as writers of jobs must, and checks the right to schedule it.
 * @throws AppError 404 `job_not_found`; 409 `job_not_reschedulable` with its status
 */
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

async function takeOver(work: UnitOfWork, { catalog, entry, job }: Waiting): Promise<void> {
  if (!(await work.use(ScheduledJobRepository).adopt(job.id)))
    throw new AppError('job_not_reschedulable', { status: 'running' });
  const { locale, ownerKeyId } = job;
  const shown = presentPending(job);
  const [before, after] = [
    { ...shown, ownerKeyId },
    { ...shown, ownerKeyId: null },
  ];
  work.use(EntryRepository).note({ action: 'entry.adopt_schedule', entry, locale, before, after });
  work.emit({ type: 'entry.scheduled', data: { ...shown, ...entryData(catalog, entry, locale) } });
  work.wake(job.scheduledAt);
}

/**
 * Makes the job of a key the caller's, so that it outlives the key (rule access/key-expiry). A job of a user is unchanged.
 * @throws AppError 404 `job_not_found`; 409 `job_not_reschedulable` with its status
 */
export async function adoptJob(
  work: UnitOfWork,
  { jobId }: InputOf<typeof calendar.adopt>,
): Promise<{ data: EntrySchedule }> {
  const waiting = await lockJob(work, jobId);
  if (waiting.job.ownerKeyId !== null) await takeOver(work, waiting);
  const adopted = await work.use(ScheduleListRepository).find(waiting.job.id);
  if (adopted === undefined) throw new AppError('job_not_found');
  return { data: presentSchedule(waiting.entry.id, adopted) };
}

/**
 * Cancels a waiting job. A job that runs holds the lock of its entry, so the call waits for its outcome.
 * @throws AppError 404 `job_not_found`, 409 `job_not_reschedulable` with its status
 */
export async function cancelSchedule(
  work: UnitOfWork,
  { id, jobId }: InputOf<typeof entries.cancelSchedule>,
): Promise<{ data: Deleted }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).lock(id, noValues);
  const jobs = work.use(ScheduledJobRepository);
  const job = await jobs.find(entry.id, jobId);
  if (job === undefined) throw new AppError('job_not_found');
  await authorizeChange(work, entry, { catalog, action: job.kind, locales: [job.locale] });
  const jobIds = [job.id];
  const [canceled] = await cancelSchedules(work, catalog, { entries: [entry], jobIds, reason: 'request' });
  if (canceled === undefined) {
    const ended = await jobs.find(entry.id, job.id);
    throw new AppError('job_not_reschedulable', { status: ended?.status ?? job.status });
  }
  return { data: { id: canceled.id, deleted: true } };
}

type Input = InputOf<typeof calendar.reschedule>;

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
  const waiting = await lockJob(work, jobId);
  const { catalog, entry, job } = waiting;
  const wanted = timezone ?? (scheduledAt === null ? undefined : job.timezone);
  const time = await futureTime(work, { scheduledAt: scheduledAt ?? undefined, timezone: wanted });
  const { kind, locale } = job;
  const shown = { jobId, kind, entryId: entry.id, releaseId: null, locale };
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
