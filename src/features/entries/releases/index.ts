export { addEntriesToRelease } from './release-items.js';
export { releaseJobs } from './schedule-release.js';
