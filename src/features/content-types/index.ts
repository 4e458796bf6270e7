export { presentField } from './content-type.presenter.js';
export { ContentTypeRepository, type FieldRow, type WholeContentType } from './content-type.repository.js';
export { createContentType } from './create-content-type.js';
export { deleteContentType } from './delete-content-type.js';
export { DeleteReportRepository } from './delete-report.repository.js';
export { assertDefinition, fieldRow } from './field-definitions.js';
export { TitleRepository } from './title.repository.js';
export { updateContentType } from './update-content-type.js';
export { renameContentType } from './rename-content-type.js';
