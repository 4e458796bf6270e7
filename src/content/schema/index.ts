export { documentIssues, targetWarnings } from './check-document.js';
export {
  compactDocument,
  byName,
  normalizeDocument,
  normalizeRole,
  normalizeWorkflow,
  movedNames,
} from './normalize.js';
export { diffModels, diffSchemas } from './diff-schemas.js';
export {
  declaredRenames,
  sections,
  type ContentTypeModel,
  type CustomFieldTypeModel,
  type DeclaredRenames,
  type FieldModel,
  type RoleModel,
  type SchemaChange,
  type SchemaModel,
  type WorkflowModel,
} from './schema-model.js';
