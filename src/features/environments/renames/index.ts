export { RenameRepository } from './rename.repository.js';
export { StoredNamesRepository } from './stored-names.repository.js';
