export { definedKeys, hasChanges } from './changes.js';
export { containing } from './containing.js';
export { assertSiteWritable } from './site-scope.js';
