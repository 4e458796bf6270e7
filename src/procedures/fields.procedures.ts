import { fields as contracts } from '../../contracts/management/fields.contract.js';
import { createField, deleteField, getField, listFields, updateField } from '../features/fields/index.js';
import { renameField } from '../features/renames/index.js';
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
