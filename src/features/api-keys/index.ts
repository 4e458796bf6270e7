export { ApiKeyLookup } from './api-key-lookup.repository.js';
export { createApiKey } from './create-api-key.js';
export { listApiKeys } from './list-api-keys.js';
export { revokeApiKey } from './revoke-api-key.js';
