import { customFieldTypes as contracts } from '../../contracts/management/custom-field-types.contract.js';
import {
  createCustomFieldType,
  deleteCustomFieldType,
  getCustomFieldType,
  listCustomFieldTypes,
  updateCustomFieldType,
} from '../features/custom-field-types/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const customFieldTypes = bind(contracts, {
  list: query(listCustomFieldTypes),
  create: mutation(createCustomFieldType, { lock: 'schema' }),
  get: query(getCustomFieldType),
  update: mutation(updateCustomFieldType, { lock: 'schema' }),
  delete: mutation(deleteCustomFieldType, { lock: 'schema' }),
});
