export { CatalogRepository } from './catalog.repository.js';
export { CatalogStore } from './catalog-store.js';
export { EnvironmentHeads, type EnvironmentName } from './environment-head.repository.js';
export type { EnvironmentHead } from './catalog.repository.js';
export { EnvironmentListRepository } from './environment-list.repository.js';
export {
  emptyBatch,
  isFull,
  repeatWhileFull,
  workOnEnvironments,
  type Batch,
} from './work-on-environments.js';
