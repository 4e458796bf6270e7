export { presentContentType, presentField } from './content-type.presenter.js';
export { ContentTypeRepository, type FieldRow, type WholeContentType } from './content-type.repository.js';
export { assertDefinition, fieldRow } from './field-definitions.js';
export { TitleRepository } from './title.repository.js';
