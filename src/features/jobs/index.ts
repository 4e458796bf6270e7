export { BackgroundJobs } from './background-jobs.js';
export { jobHandler, type JobHandler } from './job-handler.js';
export { JobRegistry } from './job-registry.js';
export { ScheduledJobRepository, type JobPayload, type NewJob } from './scheduled-job.repository.js';
