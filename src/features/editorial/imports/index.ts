export { ImportJobRepository, type DueImport } from './import-job.repository.js';
export { ImportWork } from './import-work.js';
export type { CallOperation, CallReply, ImportTask, ThreadMessage } from './import-thread.js';
