import { customFieldTypes as contracts } from '../../contracts/management/custom-field-types.contract.js';
import { createCustomFieldType } from '../features/custom-field-types/create-custom-field-type.js';
import { deleteCustomFieldType } from '../features/custom-field-types/delete-custom-field-type.js';
import { getCustomFieldType } from '../features/custom-field-types/get-custom-field-type.js';
import { listCustomFieldTypes } from '../features/custom-field-types/list-custom-field-types.js';
import { updateCustomFieldType } from '../features/custom-field-types/update-custom-field-type.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const customFieldTypes = bind(contracts, {
  list: query(listCustomFieldTypes),
  create: mutation(createCustomFieldType, { lock: 'schema' }),
  get: query(getCustomFieldType),
  update: mutation(updateCustomFieldType, { lock: 'schema' }),
  delete: mutation(deleteCustomFieldType, { lock: 'schema' }),
});
