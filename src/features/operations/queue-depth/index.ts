export { QueueDepthRepository, queueLagsSql } from './queue-depth.repository.js';
