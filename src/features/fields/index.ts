export { createField } from './create-field.js';
export { deleteField } from './delete-field.js';
export { getField } from './get-field.js';
export { listFields } from './list-fields.js';
export { updateField } from './update-field.js';
