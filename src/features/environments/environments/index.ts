export { EnvironmentJobRepository, type EnvironmentJob } from './environment-job.repository.js';
export { assertReady } from './environment.policy.js';
export { EnvironmentRepository } from './environment.repository.js';
export { EnvironmentWork, type JobRunner, type OnProgress } from './environment-work.js';
export { CopyRepository, schemaKinds, type RowsPart } from './copy/copy.repository.js';
export { schemaTables, type CopiedTable } from './copy/environment-tables.js';
export { DefaultWorkflowRepository } from './environment.repository.js';
