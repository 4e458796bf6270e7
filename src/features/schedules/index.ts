export { JobRuns, type JobWork } from './run-due-jobs.js';
export {
  ScheduledJobRepository,
  type JobOptions,
  type NewJob,
  type WaitingJob,
} from './scheduled-job.repository.js';
export { futureTime } from './future-time.js';
export type { ZonedTime } from './zoned-time.js';
