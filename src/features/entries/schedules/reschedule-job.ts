import { AppError } from '../../../../contracts/errors.js';
import type { calendar } from '../../../../contracts/management/calendar.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { RescheduledJob } from '../../../../contracts/resources/calendar-item.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository } from '../../jobs/index.js';
import { futureTime, type ZonedTime } from '../../schedules/index.js';
import { EntryRepository } from '../entry.repository.js';
import { cancelSchedules, presentPending } from './canceled-schedules.js';
import { entryData } from './event-data.js';
import { lockJob, type Waiting } from './lock-job.js';

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
