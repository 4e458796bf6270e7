export { documentIssues } from './check-document.js';
export { compactDocument } from './compact.js';
export { diffModels, diffSchemas } from './diff-schemas.js';
export { byName, normalizeDocument, normalizeRole, normalizeWorkflow } from './normalize.js';
export { movedNames } from './order.js';
export { targetWarnings } from './target-warnings.js';
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
