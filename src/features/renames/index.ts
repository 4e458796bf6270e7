export { RenameRepository } from './rename.repository.js';
