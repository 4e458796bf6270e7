export { PersonalKeyLookup } from './personal-key.repository.js';
