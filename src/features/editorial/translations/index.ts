export { exportPath, type ExportAddress } from './bulk/jobs.js';
export { JobRefused, type AsRequester } from './bulk/job-lease.js';
export { TranslationJobRepository } from './bulk/translation-job.repository.js';
export { TranslationWork } from './bulk/translation-work.js';
export { TranslationCheckRepository } from './translation-check.repository.js';
