export { definedKeys, hasChanges } from './changes.js';
export { assertMayChangeLive, assertSiteWritable } from './site-scope.js';
export { sharedHashes } from './shared-hashes.js';
