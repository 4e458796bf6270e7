import { AppError } from '../../../../contracts/errors.js';
import type { Deleted } from '../../../../contracts/envelopes.js';
import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { ScheduledJobRepository } from '../../jobs/index.js';
import { authorizeChange } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../read-values.js';
import { cancelSchedules } from './canceled-schedules.js';

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
