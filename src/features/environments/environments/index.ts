export { EnvironmentJobRepository, type EnvironmentJob } from './environment-job.repository.js';
export { assertReady } from './environment.policy.js';
export { EnvironmentRepository } from './environment.repository.js';
export { EnvironmentWork, type JobRunner, type OnProgress } from './environment-work.js';
export { schemaKinds } from './copy/copy.repository.js';
export { DefaultWorkflowRepository } from './environment.repository.js';
