export { ApiKeyLookup, type KnownKey } from './api-key-lookup.repository.js';
export { ApiKeyUses } from './api-key-uses.js';
export { createApiKey } from './create-api-key.js';
export { getApiKey } from './get-api-key.js';
export { ApiKeyCache, SecretHash } from './api-key-cache.js';
export { listApiKeys } from './list-api-keys.js';
export { revokeApiKey } from './revoke-api-key.js';
export { rotateApiKey } from './rotate-api-key.js';
export { updateApiKey } from './update-api-key.js';
