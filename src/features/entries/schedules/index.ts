export { futureTime } from './future-time.js';
export type { ZonedTime } from './zoned-time.js';
