export { changeGroup } from './update-field.js';
export { createField, deleteField } from './fields.js';
export { FieldConversionRepository } from './field-conversion.repository.js';
export { FieldValueRepository } from './field-values.repository.js';
export { leaveApprovals } from './fields.js';
export { updateField } from './update-field.js';
export { renameField } from './fields.js';
