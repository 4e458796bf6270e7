export { renameContentType } from './rename-content-type.js';
export { renameField } from './rename-field.js';
export { RenameRepository } from './rename.repository.js';
export { StoredNamesRepository } from './stored-names.repository.js';
