export { QueueDepthRepository } from './queue-depth.repository.js';
