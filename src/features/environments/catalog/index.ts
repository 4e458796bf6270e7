export { CatalogRepository, type EnvironmentHead } from './catalog.repository.js';
export { CatalogStore } from './catalog-store.js';
export { EnvironmentHeads, type EnvironmentName, EnvironmentListRepository } from './catalog.repository.js';
export {
  emptyBatch,
  isFull,
  repeatWhileFull,
  workOnEnvironments,
  type Batch,
} from './work-on-environments.js';
