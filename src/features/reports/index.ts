export { ActivityCounterRepository } from './activity/activity-counter.repository.js';
export { countActivity } from './activity/count-activity.js';
export { ActivityCheckRepository } from './activity/activity-check.repository.js';
