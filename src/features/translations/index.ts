export { TranslationCheckRepository } from './translation-check.repository.js';
