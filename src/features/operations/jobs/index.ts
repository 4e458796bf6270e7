export { BackgroundJobs } from './job-runs.js';
export { jobHandler, type JobHandler, type ReleaseJobs } from './job-registry.js';
export { JobRegistry } from './job-registry.js';
export { ScheduleListRepository, type StoredSchedule } from './due-job.repository.js';
export {
  ScheduledJobRepository,
  type JobFailure,
  type JobPayload,
  type NewJob,
  type PlannedJob,
  type ReleaseJob,
  type WaitingJob,
} from './scheduled-job.repository.js';
