export { BlockValueRepository } from './rename.repository.js';
export {
  blocksOfEntries,
  blocksOfType,
  linkingBlocksSql,
  publishedOfType,
  valuePartsSql,
} from './block-values-sql.js';
export { RenameRepository } from './rename.repository.js';
export { ENTRIES_OF_TYPE, fieldMark, renameMarks, renewTranslations } from './renew-translations-sql.js';
export { StoredNamesRepository } from './stored-names.repository.js';
