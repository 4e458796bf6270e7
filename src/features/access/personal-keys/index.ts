export { PersonalKeyLookup, type KnownPersonalKey } from './personal-key.repository.js';
