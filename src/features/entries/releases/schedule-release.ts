import { AppError } from '../../../../contracts/errors.js';
import type { ScheduledRelease } from '../../../../contracts/entries/releases/release.js';
import type { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import type { EntrySchedule } from '../../../../contracts/entries/schedules/schedule.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { RescheduledJob } from '../../../../contracts/publishing/calendar/calendar-item.js';
import type { calendar } from '../../../../contracts/publishing/calendar/calendar.contract.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository, type ReleaseJob, type ReleaseJobs } from '../../operations/jobs/index.js';
import { futureTime } from '../schedules/index.js';
import { adoptJob, rescheduleJob } from '../entries/index.js';
import { publishLocked, rehearseLocked } from './publish-release.js';
import { ReleaseRepository, type ReadRelease, type StoredRelease } from './release.repository.js';
import { assertOpen, changed, releaseEvent } from './releases.js';

type Time = Pick<ScheduledRelease, 'scheduledAt' | 'timezone'>;

const scheduledRelease = (jobId: string, releaseId: string, time: Time): ScheduledRelease => ({
  jobId,
  status: 'scheduled',
  kind: 'release',
  releaseId,
  ...time,
});

/** Checks the publication now. A new job replaces a waiting one. */
export async function scheduleRelease(
  work: UnitOfWork,
  { id, scheduledAt, timezone }: InputOf<typeof releases.schedule>,
): Promise<{ data: ScheduledRelease }> {
  const repository = work.use(ReleaseRepository);
  const before = await repository.lock(id);
  if (before.status !== 'scheduled') assertOpen(before);
  const time = await futureTime(work, { scheduledAt, timezone });
  if (time === undefined) throw new Error('a schedule without a time');
  await rehearseLocked(work, before);
  const jobs = work.use(ScheduledJobRepository);
  if (before.jobId !== null) await jobs.cancel([before.jobId]);
  const job = { id: work.newId(), kind: 'release', releaseId: before.id, options: {} } as const;
  const when = { timezone: time.timezone, scheduledAt: time.at };
  await jobs.insertAll([{ ...job, ...when, wallTime: time.wallTime }]);
  const after = changed(work, before, { status: 'scheduled', jobId: job.id, ...when });
  await repository.save(before, after, 'schedule');
  work.emit(releaseEvent('scheduled', after));
  work.wake(time.at);
  const shown = { timezone: time.timezone, scheduledAt: time.at.toISOString() };
  return { data: scheduledRelease(job.id, before.id, shown) };
}

interface Waiting {
  readonly release: ReadRelease;
  readonly job: ReleaseJob;
}

/**
 * The waiting job of a release, locked; undefined for a job of an entry.
 * @throws AppError 403 `permission_denied`, 409 `job_not_reschedulable` with its status
 */
async function lockReleaseJob(work: UnitOfWork, jobId: string): Promise<Waiting | undefined> {
  const jobs = work.use(ScheduledJobRepository);
  const found = await jobs.findRelease(jobId);
  if (found === undefined) return undefined;
  authorize(work, 'releases.publish');
  const release = await work.use(ReleaseRepository).lock(found.releaseId);
  const job = await jobs.findRelease(jobId);
  if (job?.status !== 'scheduled') throw new AppError('job_not_reschedulable', { status: job?.status });
  return { release, job };
}

async function cancelRelease(work: UnitOfWork, { release, job }: Waiting): Promise<void> {
  if ((await work.use(ScheduledJobRepository).cancel([job.id])).length === 0)
    throw new AppError('job_not_reschedulable', { status: 'running' });
  const after = changed(work, release, { status: 'open', jobId: null, scheduledAt: null, timezone: null });
  await work.use(ReleaseRepository).save(release, after, 'schedule_canceled');
}

/**
 * Moves a waiting job of an entry or a release, or cancels it: then the release is open.
 * @throws AppError as `calendar.reschedule`
 */
export async function rescheduleAnyJob(
  work: UnitOfWork,
  input: InputOf<typeof calendar.reschedule>,
): Promise<{ data: RescheduledJob }> {
  const waiting = await lockReleaseJob(work, input.jobId);
  if (waiting === undefined) return rescheduleJob(work, input);
  const { release, job } = waiting;
  const { scheduledAt: given, timezone } = input;
  const wanted = timezone ?? (given === null ? undefined : job.timezone);
  const time = await futureTime(work, { scheduledAt: given ?? undefined, timezone: wanted });
  const shown = {
    jobId: job.id,
    kind: 'release',
    entryId: null,
    releaseId: release.id,
    locale: null,
  } as const;
  if (time === undefined) {
    await cancelRelease(work, waiting);
    const { scheduledAt, timezone: zone } = job;
    return { data: { ...shown, status: 'canceled', scheduledAt: scheduledAt.toISOString(), timezone: zone } };
  }
  if (!(await work.use(ScheduledJobRepository).move(job.id, time)))
    throw new AppError('job_not_reschedulable', { status: 'running' });
  const after = changed(work, release, { scheduledAt: time.at, timezone: time.timezone });
  await work.use(ReleaseRepository).save(release, after, 'reschedule');
  work.emit(releaseEvent('scheduled', after));
  work.wake(time.at);
  return {
    data: { ...shown, status: 'scheduled', scheduledAt: time.at.toISOString(), timezone: time.timezone },
  };
}

/**
 * Makes the job of a key the caller's, of an entry or a release.
 * @throws AppError as `calendar.adopt`
 */
export async function adoptAnyJob(
  work: UnitOfWork,
  input: InputOf<typeof calendar.adopt>,
): Promise<{ data: EntrySchedule | ScheduledRelease }> {
  const waiting = await lockReleaseJob(work, input.jobId);
  if (waiting === undefined) return adoptJob(work, input);
  const { release, job } = waiting;
  if (job.ownerKeyId !== null) {
    if (!(await work.use(ScheduledJobRepository).adopt(job.id)))
      throw new AppError('job_not_reschedulable', { status: 'running' });
    const owners = { before: { ownerKeyId: job.ownerKeyId }, after: { ownerKeyId: null } };
    work.use(ReleaseRepository).note('adopt_schedule', { before: release, after: release }, owners);
    work.emit(releaseEvent('scheduled', release));
    work.wake(job.scheduledAt);
  }
  const shown = { scheduledAt: job.scheduledAt.toISOString(), timezone: job.timezone };
  return { data: scheduledRelease(job.id, release.id, shown) };
}

/** Undefined if the release is not scheduled by the job any more. */
async function lockScheduled(
  work: UnitOfWork,
  { id, releaseId }: ReleaseJob,
): Promise<ReadRelease | undefined> {
  const release = await work.use(ReleaseRepository).lock(releaseId);
  return release.status === 'scheduled' && release.jobId === id ? release : undefined;
}

/** A failed publication leaves everything as it was, and the release `failed`. */
export const releaseJobs: ReleaseJobs = {
  async run(work, job) {
    const release = await lockScheduled(work, job);
    if (release !== undefined) await publishLocked(work, release, true);
  },
  async fail(work, job, failure) {
    const before = await lockScheduled(work, job);
    if (before === undefined) return;
    const after: StoredRelease = changed(work, before, { status: 'failed', jobId: null, error: failure });
    await work.use(ReleaseRepository).save(before, after, 'schedule_failed');
    work.emit(releaseEvent('failed', after));
  },
};
