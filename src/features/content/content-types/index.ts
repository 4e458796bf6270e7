export { presentField } from './content-type.policy.js';
export { ContentTypeRepository, type FieldRow, type WholeContentType } from './content-type.repository.js';
export { createContentType, deleteContentType, updateContentType } from './content-types.js';
export { DeleteReportRepository } from './delete-report.repository.js';
export { assertDefinition, fieldRow } from './field-definitions.js';
export { TitleRepository } from './content-type.repository.js';
export { TypeLocalesRepository } from './type-locales.repository.js';
export { renameContentType } from './rename-content-type.js';
