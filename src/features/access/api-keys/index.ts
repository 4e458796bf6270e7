export { assertClientKey, endClientKey, issueClientKey } from './api-keys.js';
export { ApiKeyLookup, type KnownKey } from './api-key.repository.js';
export { findActiveKey, ApiKeyUses, ApiKeyCache, SecretHash } from './active-key.js';
export { KeyAddressRepository } from './api-key.repository.js';
export { KeyActivity } from './key-usage.js';
export { KeyUsage } from './key-usage.js';
