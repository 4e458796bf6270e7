export { checkContentTypeDelete } from './check-content-type-delete.js';
export { presentField } from './content-type.presenter.js';
export { ContentTypeRepository, type FieldRow, type WholeContentType } from './content-type.repository.js';
export { createContentType } from './create-content-type.js';
export { deleteContentType } from './delete-content-type.js';
export { assertDefinition, fieldRow } from './field-definitions.js';
export { getContentType } from './get-content-type.js';
export { listContentTypes } from './list-content-types.js';
export { updateContentType } from './update-content-type.js';
