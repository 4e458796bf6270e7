export { ApiKeyLookup, type KnownKey } from './api-key-lookup.repository.js';
export { findActiveKey } from './find-active-key.js';
export { ApiKeyUses } from './api-key-uses.js';
export { ApiKeyCache, SecretHash } from './api-key-cache.js';
export { KeyAddressRepository } from './key-address.repository.js';
export { KeyActivity } from './key-activity.js';
export { KeyUsage } from './key-usage.js';
