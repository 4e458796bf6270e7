export { ApiKeyLookup } from './api-key-lookup.repository.js';
