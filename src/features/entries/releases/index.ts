export { Futures, type FutureQuestion, type IndexEntries } from './future.js';
export { addEntriesToRelease } from './release-items.js';
export { ReleaseRepository } from './release.repository.js';
export { releaseJobs } from './schedule-release.js';
