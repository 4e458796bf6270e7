import { fields as contracts } from '../../contracts/management/fields.contract.js';
import { createField } from '../features/fields/create-field.js';
import { deleteField } from '../features/fields/delete-field.js';
import { getField } from '../features/fields/get-field.js';
import { listFields } from '../features/fields/list-fields.js';
import { updateField } from '../features/fields/update-field.js';
import { renameField } from '../features/fields/rename-field.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const fields = bind(contracts, {
  list: query(listFields),
  create: mutation(createField, { lock: 'schema' }),
  get: query(getField),
  update: mutation(updateField, { lock: 'schema' }),
  delete: mutation(deleteField, { lock: 'schema' }),
  rename: mutation(renameField, { lock: 'schema' }),
});
