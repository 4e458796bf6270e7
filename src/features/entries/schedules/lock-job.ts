import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { ScheduledJobRepository, type WaitingJob } from '../../jobs/index.js';
import { authorizeChange } from '../access/entry-rights.js';
import { EntryRepository } from '../entry.repository.js';
import { noValues } from '../read-values.js';
import type { StoredEntry } from '../stored-entry.js';

export interface Waiting {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  readonly job: WaitingJob;
}

/**
 * Locks the entry of the job, as writers of jobs must, and checks the right to schedule it.
 * @throws AppError 404 `job_not_found`; 409 `job_not_reschedulable` with its status
 */
export async function lockJob(work: UnitOfWork, jobId: string): Promise<Waiting> {
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
