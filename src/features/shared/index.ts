export { definedKeys, hasChanges } from './changes.js';
export { makingKey, orphanedSql, withinKey } from './key-reach.js';
export { commaList } from './comma-list.js';
export { slugFrom } from './slug-from.js';
export { withKnownTypes } from './known-types.js';
export { publishedBody, PublishedBody } from './published-body.js';
export { pageWindow } from './page-window.js';
export { sharedHashes } from './shared-hashes.js';
export { reachedEntries, readableEntries, readsEveryEntry, type Bind } from './readable-entries.js';
export { hasCustomType, isLinkKind, mayBeArray, storedValue } from './field-kind-sql.js';
export { assertEditable, hasOneRole, hasReservedStates, type StatedEntry } from './editable.js';
export {
  afterSql,
  cursorList,
  ListWalk,
  openPage,
  orderSql,
  positionSql,
  walkedPage,
  type Keyset,
  type ListedPage,
  type ListWindow,
  type Position,
  type Walk,
} from './cursor/index.js';
