import type { z } from 'zod';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { WaitingJob } from './scheduled-job.repository.js';

/** Does what a kind of job is for, inside the job's own unit of work. */
export type JobHandler = (work: UnitOfWork, job: WaitingJob) => Promise<unknown>;

/** A handler whose payload is parsed before it runs: rows may have been written by an earlier release. */
export function jobHandler<S extends z.ZodType>(
  payload: S,
  run: (work: UnitOfWork, job: WaitingJob, options: z.infer<S>) => Promise<unknown>,
): JobHandler {
  return (work, job) => run(work, job, payload.parse(job.options));
}
