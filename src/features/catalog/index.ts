export { CatalogRepository } from './catalog.repository.js';
export { CatalogStore } from './catalog-store.js';
export { EnvironmentHeads } from './environment-head.repository.js';
