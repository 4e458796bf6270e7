export { createEntryPreview, type PreviewServices } from './create-entry-preview.js';
