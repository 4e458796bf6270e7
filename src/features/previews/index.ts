export { createEntryPreview } from './create-entry-preview.js';
