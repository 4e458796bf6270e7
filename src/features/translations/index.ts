export { exportPath, type ExportAddress } from './bulk/export-url.js';
export { JobRefused, type AsRequester } from './bulk/requester.js';
export { TranslationJobRepository } from './bulk/translation-job.repository.js';
export { TranslationWork } from './bulk/translation-work.js';
export { TranslationCheckRepository } from './translation-check.repository.js';
