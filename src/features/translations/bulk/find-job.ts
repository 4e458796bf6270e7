import { AppError } from '../../../../contracts/errors.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { reachesAll } from '../translation-filter.js';
import type { JobPlan, StoredJob } from './stored-job.js';
import { TranslationJobRepository } from './translation-job.repository.js';

/**
 * A job of the caller; of others only for callers that can read every entry and translation, since it shows theirs.
 * @throws AppError 404 `job_not_found`
 */
export async function findJob(work: UnitOfWork, id: string, kind: JobPlan['kind']): Promise<StoredJob> {
  const job = await work.use(TranslationJobRepository).find(id, kind);
  const { actor } = work.scope;
  const isOwn = job.createdBy.type === actor.type && job.createdBy.id === actor.id;
  if (!isOwn && !reachesAll(work.scope)) throw new AppError('job_not_found');
  return job;
}
