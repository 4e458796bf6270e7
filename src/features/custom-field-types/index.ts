export { createCustomFieldType } from './create-custom-field-type.js';
export { deleteCustomFieldType } from './delete-custom-field-type.js';
export { getCustomFieldType } from './get-custom-field-type.js';
export { listCustomFieldTypes } from './list-custom-field-types.js';
export { updateCustomFieldType } from './update-custom-field-type.js';
