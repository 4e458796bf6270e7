import { contentTypes as contentTypesContracts } from '../../contracts/content/content-types/content-types.contract.js';
import {
  checkContentTypeDelete,
  createContentType,
  deleteContentType,
  getContentType,
  listContentTypes,
  updateContentType,
} from '../features/content/content-types/content-types.js';
import { renameContentType } from '../features/content/content-types/rename-content-type.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import { customFieldTypes as customFieldTypesContracts } from '../../contracts/content/custom-field-types/custom-field-types.contract.js';
import {
  createCustomFieldType,
  deleteCustomFieldType,
  getCustomFieldType,
  listCustomFieldTypes,
  updateCustomFieldType,
} from '../features/content/custom-field-types/custom-field-types.js';
import { fields as fieldsContracts } from '../../contracts/content/fields/fields.contract.js';
import {
  createField,
  deleteField,
  getField,
  listFields,
  renameField,
} from '../features/content/fields/fields.js';
import { updateField } from '../features/content/fields/update-field.js';
import { views as viewsContracts } from '../../contracts/access/views/views.contract.js';
import { createView, deleteView, getView, listViews, updateView } from '../features/access/views/views.js';
import { workflows as workflowsContracts } from '../../contracts/content/workflows/workflows.contract.js';
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  updateWorkflow,
} from '../features/content/workflows/workflows.js';

export const contentTypes = bind(contentTypesContracts, {
  list: query(listContentTypes),
  create: mutation(createContentType, { lock: 'schema' }),
  get: query(getContentType),
  update: mutation(updateContentType, { lock: 'schema' }),
  delete: mutation(deleteContentType, { lock: 'schema' }),
  checkDelete: query(checkContentTypeDelete),
  rename: mutation(renameContentType, { lock: 'schema' }),
});

export const customFieldTypes = bind(customFieldTypesContracts, {
  list: query(listCustomFieldTypes),
  create: mutation(createCustomFieldType, { lock: 'schema' }),
  get: query(getCustomFieldType),
  update: mutation(updateCustomFieldType, { lock: 'schema' }),
  delete: mutation(deleteCustomFieldType, { lock: 'schema' }),
});

export const fields = bind(fieldsContracts, {
  list: query(listFields),
  create: mutation(createField, { lock: 'schema' }),
  get: query(getField),
  update: mutation(updateField, { lock: 'schema' }),
  delete: mutation(deleteField, { lock: 'schema' }),
  rename: mutation(renameField, { lock: 'schema' }),
});

export const views = bind(viewsContracts, {
  list: query(listViews),
  create: mutation(createView),
  get: query(getView),
  update: mutation(updateView),
  delete: mutation(deleteView),
});

export const workflows = bind(workflowsContracts, {
  list: query(listWorkflows),
  create: mutation(createWorkflow, { lock: 'schema' }),
  get: query(getWorkflow),
  update: mutation(updateWorkflow, { lock: 'schema' }),
  delete: mutation(deleteWorkflow, { lock: 'schema' }),
});
