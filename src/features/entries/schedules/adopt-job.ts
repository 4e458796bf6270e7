import { AppError } from '../../../../contracts/errors.js';
import type { calendar } from '../../../../contracts/management/calendar.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntrySchedule } from '../../../../contracts/resources/schedule.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { ScheduledJobRepository, ScheduleListRepository } from '../../jobs/index.js';
import { EntryRepository } from '../entry.repository.js';
import { presentPending } from './canceled-schedules.js';
import { entryData } from './event-data.js';
import { presentSchedule } from './list-schedules.js';
import { lockJob, type Waiting } from './lock-job.js';

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
 * Makes the job of a key the caller's, so that it outlives the key (decisions 4.9). A job of a user is unchanged.
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
