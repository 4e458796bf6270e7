export { createCustomFieldType } from './create-custom-field-type.js';
export { deleteCustomFieldType } from './delete-custom-field-type.js';
export { updateCustomFieldType } from './update-custom-field-type.js';
