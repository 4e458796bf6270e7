export { ApiKeyLookup, type KnownKey } from './api-key-lookup.repository.js';
export { createApiKey } from './create-api-key.js';
export { KnownKeys } from './known-keys.js';
export { listApiKeys } from './list-api-keys.js';
export { revokeApiKey } from './revoke-api-key.js';
