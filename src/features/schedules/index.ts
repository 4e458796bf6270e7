export { futureTime } from './future-time.js';
export { JobRuns, type JobWork } from './run-due-jobs.js';
export { ScheduledJobRepository, type JobOptions, type NewJob } from './scheduled-job.repository.js';
export type { ZonedTime } from './zoned-time.js';
