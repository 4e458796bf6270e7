export { definedKeys, hasChanges } from './changes.js';
export { pageWindow } from './page-window.js';
export { sharedHashes } from './shared-hashes.js';
export { reachedEntries, readableEntries, readsEveryEntry, type Bind } from './readable-entries.js';
export { hasCustomType, isLinkKind, storedValue } from './field-kind-sql.js';
