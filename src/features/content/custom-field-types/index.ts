export { createCustomFieldType, deleteCustomFieldType, updateCustomFieldType } from './custom-field-types.js';
